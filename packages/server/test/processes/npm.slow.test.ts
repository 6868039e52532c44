import { expect, test } from "bun:test";
import { readFileSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { makeFolder } from "../harness";
import { startProcess } from "../process";
import { readUntil } from "../read-until";

const workspace = resolve(import.meta.dir, "../../../..");
const fromNpm = { npm_command: "exec", npm_lifecycle_event: "npx" };

/** Starts the service as its users do, in a shell that npm starts, and waits until it says where it serves. */
async function startWithNpx(folder: string, flags: string[]) {
  const npx = Bun.spawn(["npx", "holdfast", "serve", "--port", "0", "--data-dir", folder, ...flags], {
    cwd: workspace,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const printed = await readUntil(npx.stderr, "/docs\n");
  const [, baseUrl = ""] = /Holdfast serves (\S+),/.exec(printed) ?? [];
  return { npx, baseUrl };
}

const statusOf = (baseUrl: string) =>
  fetch(`${baseUrl}/readyz`, { headers: { Connection: "close" } }).then(
    ({ status }) => status,
    () => "silent",
  );

/** The different answers until there is none any more, in the order in which they were first given. */
async function answersUntilSilent(baseUrl: string): Promise<unknown[]> {
  const seen = new Set<unknown>();
  const startedAt = performance.now();
  while (performance.now() - startedAt < 60_000 && !seen.has("silent")) {
    seen.add(await statusOf(baseUrl));
    await Bun.sleep(50);
  }
  return [...seen];
}

test.each(["1", "2"])(
  "R17: npx that is ended takes the service along, in good order: %s processes",
  async (processes) => {
    const folder = makeFolder();
    const { npx, baseUrl } = await startWithNpx(folder, ["--processes", processes, "--drain-seconds", "3"]);
    expect(await statusOf(baseUrl)).toBe(200);
    npx.kill("SIGTERM");
    await npx.exited;
    const answers = await answersUntilSilent(baseUrl);
    // The first status depends on how soon it notices that npx has ended.
    expect(answers.filter((answer) => answer !== 200)).toEqual([503, "silent"]);
    rmSync(folder, { recursive: true });
  },
);

/** Waits until a service says that it is going. */
async function untilGoing(baseUrl: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; performance.now() < deadline; await Bun.sleep(20)) {
    if ((await statusOf(baseUrl)) === 503) return;
  }
  throw new Error("The service does not say that it is going.");
}

test.each(["1", "2"])("R17: a signal that npm repeats at once is one signal: %s processes", async (processes) => {
  const server = await startProcess({ flags: { drain_seconds: "3", processes }, environment: fromNpm });
  const ended = server.stop("SIGTERM");
  await Bun.sleep(100);
  process.kill(server.pid, "SIGTERM");
  expect(await answersUntilSilent(server.baseUrl)).toContain(503);
  expect(await ended).toBe(0);
  rmSync(server.folder, { recursive: true });
});

test("R17: a second signal after more than a second ends the service at once, under npm too", async () => {
  const server = await startProcess({ flags: { drain_seconds: "60" }, environment: fromNpm });
  const ended = server.stop("SIGTERM");
  await untilGoing(server.baseUrl);
  await Bun.sleep(1_200);
  process.kill(server.pid, "SIGTERM");
  expect(await ended).toBe(1);
  rmSync(server.folder, { recursive: true });
});

test("without npm the service outlives the shell that started it, as nohup and setsid promise", async () => {
  const folder = makeFolder();
  const server = await startProcess({ folder, under: ["sh", "-c", '"$@" & echo $! > "$0/pid"; wait', folder] });
  process.kill(server.pid, "SIGKILL");
  await Bun.sleep(2_500);
  expect(await statusOf(server.baseUrl)).toBe(200);
  process.kill(Number(readFileSync(`${folder}/pid`, "utf8")), "SIGTERM");
  expect((await answersUntilSilent(server.baseUrl)).at(-1)).toBe("silent");
  await server.ended();
  rmSync(folder, { recursive: true });
});
