import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { findFreePort } from "../../../server/test/free-port";

const main = resolve(import.meta.dir, "../main.ts");
const folder = mkdtempSync(join(tmpdir(), "holdfast-health-"));
const service = Bun.serve({
  port: 0,
  fetch: (request) => {
    const answers: Record<string, Response> = {
      "/readyz": Response.json({ status: "ready" }),
      "/full/readyz": Response.json({ errors: [{ error_message: "The disk is full." }] }, { status: 503 }),
      "/other/readyz": new Response("<title>It works!</title>"),
    };
    return answers[new URL(request.url).pathname] ?? new Response("", { status: 404 });
  },
});
afterAll(async () => {
  await service.stop(true);
  rmSync(folder, { recursive: true });
});

async function health(env: Record<string, string>, ...args: string[]) {
  const command = [process.execPath, "--no-env-file", main, "health", ...args];
  const child = Bun.spawn(command, { cwd: folder, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { stdout, stderr, exitCode: await child.exited };
}

const at = `http://127.0.0.1:${service.port}`;

test("the service of HOLDFAST_URL is asked, and the one of this machine if a setting is given as a flag", async () => {
  const ready = { stdout: "ready\n", stderr: "", exitCode: 0 };
  expect(await health({ HOLDFAST_URL: `${at}/` })).toEqual(ready);
  expect(await health({ HOLDFAST_URL: "http://127.0.0.1:9" }, "--port", String(service.port))).toEqual(ready);
  expect(await health({ HOLDFAST_PORT: String(service.port) })).toEqual(ready);
});

test("why it is not ready is said in our own words, with what to do", async () => {
  const closed = `http://127.0.0.1:${await findFreePort()}`;
  const refused = (exitCode: number, stderr: string) => ({ stdout: "", stderr: `holdfast: ${stderr}\n`, exitCode });
  expect(await health({ HOLDFAST_URL: closed })).toEqual(
    refused(1, `${closed} cannot be reached: the connection is refused. Check the port, and whether the service runs.`),
  );
  expect(await health({ HOLDFAST_URL: `${at}/full` })).toEqual(
    refused(1, `The service at ${at}/full is not ready: The disk is full. See what it logs.`),
  );
  expect(await health({ HOLDFAST_URL: `${at}/elsewhere` })).toEqual(
    refused(1, `What answers at ${at}/elsewhere with 404 is no Holdfast. Check the address.`),
  );
  expect(await health({ HOLDFAST_URL: `${at}/other` })).toEqual(
    refused(1, `What answers at ${at}/other with 200 is no Holdfast. Check the address.`),
  );
  expect(await health({ HOLDFAST_URL: "backup.example.org" })).toEqual(
    refused(2, "backup.example.org is no address of a service. Write https://backup.example.org."),
  );
});
