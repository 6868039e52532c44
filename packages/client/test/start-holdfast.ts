import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type FaultyProxy, startFaultyProxy } from "./faulty-proxy";
import type { Place } from "./scenarios/world";

const workspace = resolve(import.meta.dir, "../../..");
/** In a run of all tests the command line is built, and starts in a third of the time. */
const built = process.env.HOLDFAST_TEST_PROGRAMS;
const commandLine =
  built === undefined ? join(workspace, "packages/cli/src/main.ts") : join(built, "packages/cli/src/main.js");
const startTimeoutMs = 60_000;

/** The service as a process of its own, behind a proxy that can break what it passes on. */
export interface RunningHoldfast {
  place: Place & { token: string };
  /** Where the first owner chooses a password. */
  firstOwnerSecret: string;
  stop(): Promise<void>;
}

/** Starts the service on made-up data. Nothing of it is imported: the client knows the wire alone. */
export async function startHoldfast({ tasks }: { tasks: number }): Promise<RunningHoldfast> {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-client-"));
  const proxy = await startFaultyProxy();
  const baseUrl = `http://127.0.0.1:${proxy.port}`;
  const where = ["--data-dir", folder, "--base-url", baseUrl];
  await run(["demo", "--users", "5", "--tasks", String(tasks), "--data-dir", folder]);
  const token = await run(["token", "create", "--kind", "service", "--name", "owner", "--role", "owner", ...where]);
  const service = Bun.spawn(command(["serve", "--port", "0", "--rate-limit", "0", "--drain-seconds", "0", ...where]), {
    ...silent,
    stderr: "pipe",
  });
  const printed = await waitForAddress(service, proxy);
  const [, firstOwnerSecret = ""] = /first-owner#(\S+)/.exec(printed) ?? [];
  return {
    place: { baseUrl, closedUrl: `http://127.0.0.1:${await closedPort()}`, token: token.trim(), atOnce: 8 },
    firstOwnerSecret,
    async stop() {
      service.kill("SIGTERM");
      await service.exited;
      proxy.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const silent = {
  cwd: workspace,
  stdin: "ignore",
  // The tester's own settings are not those of the test.
  env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(HOLDFAST|npm)_/.test(name))),
} as const;

function command(args: readonly string[]): string[] {
  return [process.execPath, commandLine, ...args];
}

async function run(args: readonly string[]): Promise<string> {
  const child = Bun.spawn(command(args), { ...silent, stdout: "pipe", stderr: "pipe" });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`holdfast ${args[0]} failed: ${errors}`);
  return output;
}

/** Waits until the service says where it listens, and reads on, so that it can print whatever it likes. */
async function waitForAddress(service: { stderr: ReadableStream<Uint8Array> }, proxy: FaultyProxy): Promise<string> {
  let printed = "";
  const decoder = new TextDecoder();
  const started = Promise.withResolvers<void>();
  void (async () => {
    for await (const chunk of service.stderr) {
      printed += decoder.decode(chunk, { stream: true });
      const [, port] = /listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(printed) ?? [];
      if (port === undefined || !/first-owner#\S+ /.test(printed)) continue;
      proxy.forwardTo(Number(port));
      started.resolve();
    }
    started.reject(new Error(`The service has ended: ${printed}`));
  })();
  const timer = setTimeout(() => started.reject(new Error(`The service did not start: ${printed}`)), startTimeoutMs);
  await started.promise.finally(() => clearTimeout(timer));
  return printed;
}

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("There is no port.");
  return address.port;
}
