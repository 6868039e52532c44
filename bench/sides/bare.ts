import { readFileSync } from "node:fs";

/** Serves the bytes of a file with no work behind them: what the same runtime does at best. */
const [, , file = ""] = process.argv;
const body = readFileSync(file, "utf8");
const headers = { "Content-Type": "application/api.svc.tasks=v1+json" };
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response(body, { headers }) });
process.stdout.write(`${server.url.origin}\n`);
