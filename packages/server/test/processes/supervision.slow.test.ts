import { expect, test } from "bun:test";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../free-port";
import { makeFolder } from "../harness";
import { type ServerProcess, startInVain, startProcess } from "../process";
import { size, timeLimit, variation } from "../runs";
import { startWithTasks, stopUnderLoad } from "../stop-under-load";
import { connectToEach } from "./connection";

/** As few as can be several: what they do together does not depend on how many there are, and each costs a start. */
const several = { processes: "2" };

/** The lines of the log that are not about requests. */
function events(server: ServerProcess): { level: string; message: string; detail: string }[] {
  const lines = server.printed().split("\n");
  return lines
    .filter((line) => line.startsWith("{") && !line.includes('"message":"request"'))
    .map((line) => JSON.parse(line));
}

const isAnswered = (server: ServerProcess) =>
  server.ask("/healthz", { headers: { Connection: "close" } }).then(
    () => true,
    () => false,
  );

/** Waits until nothing answers on the port, and says how long that took. One that ends may refuse what another one takes. */
async function untilSilent(server: ServerProcess, longest = 60_000): Promise<number> {
  const startedAt = performance.now();
  for (let silences = 0; performance.now() - startedAt < longest && silences < 5; ) {
    silences = (await isAnswered(server)) ? 0 : silences + 1;
    await Bun.sleep(100);
  }
  return performance.now() - startedAt;
}

test("several processes answer on one port that the system chose, and greet once", async () => {
  const count = size({ default: 2, long: 4 });
  // In a folder without tables: they make these, and each of them only once.
  const server = await startProcess({ flags: { processes: String(count) }, folder: makeFolder() });
  const connections = await connectToEach(server.port, count);
  expect(connections.map(({ pid }) => pid)).not.toContain(server.pid);
  const ready = await Promise.all(connections.map(({ ask }) => ask("/readyz")));
  expect(ready.map(({ status, body }) => [status, body])).toEqual(connections.map(() => [200, { status: "ready" }]));
  expect(server.printed().match(/Holdfast serves .*/g)).toEqual([
    `Holdfast serves ${server.baseUrl}, with ${count} processes, and explains itself at ${server.baseUrl}/docs`,
  ]);
  expect(await server.stop()).toBe(0);
  expect(events(server)).toEqual([]);
  rmSync(server.folder, { recursive: true });
});

variation("a node that is reached by another address says where it listens", async () => {
  const [port, other] = [String(await findFreePort()), String(await findFreePort())];
  const base_url = "https://backup.example.org";
  const said = `Holdfast serves ${base_url}, listening on http://127.0.0.1:`;
  const explains = `and explains itself at ${base_url}/docs`;
  const alone = await startProcess({ flags: { base_url, port } });
  expect(alone.printed()).toContain(`${said}${port}, ${explains}\n`);
  expect(await alone.stop()).toBe(0);
  const together = await startProcess({ flags: { base_url, port: other, processes: "2" } });
  expect(together.printed()).toContain(`${said}${other}, with 2 processes, ${explains}\n`);
  expect(await together.stop()).toBe(0);
  for (const { folder } of [alone, together]) rmSync(folder, { recursive: true });
});

variation("a settings file whose secrets others can read is told of once, and used", async () => {
  const folder = makeFolder();
  const config = join(folder, "settings.json");
  writeFileSync(config, JSON.stringify({ metrics_token: "hush" }));
  // Not when it is written: what opened a database before has seen to it that files are private.
  chmodSync(config, 0o644);
  const server = await startProcess({
    folder,
    flags: { processes: "2" },
    environment: { HOLDFAST_CONFIG: config, HOLDFAST_METRICS_TOKEN: "" },
  });
  expect(events(server)).toMatchObject([
    {
      level: "warn",
      message: "The settings file holds secrets (metrics_token) and is readable by others.",
      detail: `Run: chmod 600 ${config}`,
    },
  ]);
  expect((await server.ask("/metrics", { token: "hush" })).status).toBe(200);
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

test("a process that is killed is replaced within 2 s, and the other goes on", async () => {
  const server = await startProcess({ flags: several });
  const [victim, ...others] = await connectToEach(server.port, 2);
  const killedAt = performance.now();
  process.kill(victim.pid, "SIGKILL");
  await expect(victim.ask("/healthz")).rejects.toThrow();
  const statuses = await Promise.all(others.map(async ({ ask }) => (await ask("/readyz")).status));
  expect(statuses).toEqual([200]);
  const known = [victim, ...others].map(({ pid }) => pid);
  const [replacement] = await connectToEach(server.port, 1, known);
  expect(performance.now() - killedAt).toBeLessThan(timeLimit(2_000));
  expect((await replacement.ask("/readyz")).status).toBe(200);
  expect(events(server)).toMatchObject([
    {
      level: "warn",
      message: "A process of the service has ended, so it is started again.",
      detail: `process ${victim.pid} ended with SIGKILL; the next one starts in 0 ms`,
    },
  ]);
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
});

test("a process that is stuck is killed and replaced, and the other goes on", async () => {
  const server = await startProcess({ flags: several, timeouts: { silenceSeconds: 5 } });
  const [stuck, ...others] = await connectToEach(server.port, 2);
  const stuckAt = performance.now();
  process.kill(stuck.pid, "SIGSTOP");
  while (performance.now() - stuckAt < 60_000 && events(server).length < 2) await Bun.sleep(100);
  expect(events(server)).toMatchObject([
    {
      level: "warn",
      message: "A process of the service gives no sign of life, so it is killed.",
      detail: `process ${stuck.pid} was silent for 5 s`,
    },
    {
      level: "warn",
      message: "A process of the service has ended, so it is started again.",
      detail: `process ${stuck.pid} ended with SIGKILL; the next one starts in 0 ms`,
    },
  ]);
  const statuses = await Promise.all(others.map(async ({ ask }) => (await ask("/readyz")).status));
  expect(statuses).toEqual([200]);
  const known = [stuck, ...others].map(({ pid }) => pid);
  const [replacement] = await connectToEach(server.port, 1, known);
  expect((await replacement.ask("/readyz")).status).toBe(200);
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
}, 120_000);

variation("a process that keeps ending is started again later and later", async () => {
  const server = await startProcess({ flags: { processes: "2" } });
  const [steady, victim] = await connectToEach(server.port, 2);
  const pids = [victim?.pid ?? 0];
  for (const _ of [1, 2, 3]) {
    process.kill(pids.at(-1) ?? 0, "SIGKILL");
    const [next] = await connectToEach(server.port, 1, [steady.pid, ...pids]);
    pids.push(next.pid);
  }
  expect(events(server).map(({ detail }) => detail)).toEqual(
    [0, 250, 500].map(
      (pause, index) => `process ${pids[index]} ended with SIGKILL; the next one starts in ${pause} ms`,
    ),
  );
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
});

test("R17: on SIGTERM all processes go unready first, answer everything that comes in, and end cleanly", async () => {
  const { server, token } = await startWithTasks({ drain_seconds: "4", ...several });
  const { exitCode, took, outcomes, answeredLate, isSeenGoing } = await stopUnderLoad(server, token);
  rmSync(server.folder, { recursive: true });
  expect([exitCode, isSeenGoing]).toEqual([0, true]);
  expect(took).toBeLessThan(timeLimit(10_000));
  expect(outcomes.filter((outcome) => outcome !== 200)).toEqual([]);
  expect(answeredLate).toBeGreaterThan(size({ default: 5, long: 20 }));
});

variation(
  "R17: a signal to each process and to the supervisor, as service managers send it, is one signal",
  async () => {
    const server = await startProcess({ flags: { drain_seconds: "1", ...several } });
    const connections = await connectToEach(server.port, 2);
    for (const { pid } of connections) process.kill(pid, "SIGTERM");
    const ended = server.stop("SIGTERM");
    await Bun.sleep(500);
    const answers = await Promise.all(connections.map(async ({ ask }) => (await ask("/readyz")).status));
    expect(answers).toEqual([503, 503]);
    expect([await ended, events(server)]).toEqual([0, []]);
    rmSync(server.folder, { recursive: true });
  },
);

variation("R17: a second signal ends all processes at once", async () => {
  const server = await startProcess({ flags: { drain_seconds: "60", ...several } });
  server.stop("SIGTERM");
  await Bun.sleep(300);
  const startedAt = performance.now();
  expect(await server.stop("SIGTERM")).toBe(1);
  await untilSilent(server);
  expect(performance.now() - startedAt).toBeLessThan(timeLimit(2_000));
  rmSync(server.folder, { recursive: true });
});

test("R17: a process that does not end in time is killed", async () => {
  const server = await startProcess({ flags: several, timeouts: { finish: 2_000 } });
  const [stuck] = await connectToEach(server.port, 1);
  process.kill(stuck.pid, "SIGSTOP");
  expect(await server.stop("SIGTERM")).toBe(1);
  expect(events(server).map(({ message }) => message)).toEqual([
    "Some processes of the service did not end in time, so they are killed.",
  ]);
  expect(await isAnswered(server)).toBe(false);
  rmSync(server.folder, { recursive: true });
}, 120_000);

variation("R17: without their supervisor the processes end by themselves, in good order", async () => {
  const server = await startProcess({ flags: { drain_seconds: "1", ...several } });
  const connections = await connectToEach(server.port, 2);
  expect(await server.stop("SIGKILL")).toBe(137);
  await Bun.sleep(300);
  const answers = await Promise.all(connections.map(async ({ ask }) => (await ask("/readyz")).status));
  expect(answers).toEqual([503, 503]);
  expect(await untilSilent(server)).toBeLessThan(timeLimit(5_000));
  rmSync(server.folder, { recursive: true });
});

test("R17: without their supervisor the processes end in time, also those that cannot end in good order", async () => {
  const folder = makeFolder();
  const preload = join(folder, "never-done.ts");
  // The time in which a process says that it is not ready never ends.
  writeFileSync(
    preload,
    `const wait = globalThis.setTimeout;
    globalThis.setTimeout = Object.assign((act, delay, ...more) => wait(act, delay === 1000 ? 86_400_000 : delay, ...more), wait);`,
  );
  const environment = { BUN_OPTIONS: `--preload=${preload}` };
  const flags = { drain_seconds: "1", ...several };
  const server = await startProcess({ folder, flags, environment, timeouts: { finish: 3_000 } });
  expect(await server.stop("SIGKILL")).toBe(137);
  expect(await untilSilent(server, 40_000)).toBeLessThan(40_000);
  rmSync(folder, { recursive: true });
}, 120_000);

test("what keeps one process from starting keeps several from it, with the same one message", async () => {
  const folder = makeFolder();
  const first = await startProcess({ folder, flags: several });
  await first.stop();
  const environment = { HOLDFAST_SECRET_KEY: "another secret than the one of that folder" };
  const alone = await startInVain({ folder, environment });
  expect(alone).toEqual({
    exitCode: 2,
    output: "",
    errors:
      "holdfast: The secret is not the one that this database was made with. Give the right one in HOLDFAST_SECRET_KEY or secret_key_file. After holdfast key reseal, that is the new one.\n",
  });
  expect(await startInVain({ folder, environment, flags: several })).toEqual(alone);
  const database_url = `sqlite:${join(folder, "damaged.db")}`;
  writeFileSync(join(folder, "damaged.db"), "no database at all\n".repeat(1_000), { mode: 0o600 });
  const damaged = await startInVain({ folder, flags: { database_url } });
  expect(damaged).toMatchObject({ exitCode: 1, output: "", errors: expect.stringMatching(/^holdfast: .+\n$/) });
  expect(await startInVain({ folder, flags: { database_url, ...several } })).toEqual(damaged);
  expect(await startInVain({ folder, flags: { ...several, log_level: "loud" } })).toEqual({
    exitCode: 2,
    output: "",
    errors: "holdfast: The setting log_level has to be one of debug, info, warn, error, silent.\n",
  });
  rmSync(folder, { recursive: true });
});

test("R25: a port that is taken is refused, and several processes share theirs with nobody else", async () => {
  const server = await startProcess({ flags: several });
  const port = String(server.port);
  const refused = {
    exitCode: 1,
    output: "",
    errors: `holdfast: Port ${port} of 127.0.0.1 is in use. Stop what listens there, or choose another one with --port.\n`,
  };
  expect(await startInVain({ flags: { port } })).toEqual(refused);
  expect(await startInVain({ flags: { port, ...several } })).toEqual(refused);
  expect(await server.stop()).toBe(0);
  rmSync(server.folder, { recursive: true });
  const again = await startProcess({ flags: { port, ...several } });
  expect(again.port).toBe(server.port);
  expect(await again.stop()).toBe(0);
  rmSync(again.folder, { recursive: true });
});
