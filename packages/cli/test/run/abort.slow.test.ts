import { afterAll, expect, test } from "bun:test";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { timeLimit } from "../../../server/test/runs";
import { endOf, isAlive, spooled, until } from "./runner";
import { openRunWorld, type ShownTask } from "./service";

const world = await openRunWorld();
afterAll(world.close);

const pidsFile = join(world.path, "pids");
const pids = () => (existsSync(pidsFile) ? readFileSync(pidsFile, "utf8").trim().split("\n").map(Number) : []);
const endOfTask = ({ status, outcome, error }: ShownTask) =>
  [status, outcome, ...(error ? [error.code] : [])].join(" ");

/** Waits until the task is there and its runner holds a heartbeat that can be answered. */
async function whenAbortable(name: string): Promise<ShownTask> {
  const task = await until(async () => {
    const found = await world.taskNamed(name);
    return found?.is_abortable ? found : undefined;
  });
  await Bun.sleep(1_200);
  return task;
}

test("an abort is heard within two seconds; a command that ends politely is aborted", async () => {
  const script = "trap 'echo stopping; exit 1' TERM; while :; do sleep 0.05; done";
  const child = world.start(["--name", "polite"], ["bash", "-c", script]);
  const task = await whenAbortable("polite");
  const askedAt = performance.now();
  expect(await world.abort(task)).toBe(200);
  const { exitCode, stdout } = await endOf(child);
  expect(performance.now() - askedAt).toBeLessThan(timeLimit(2_500));
  expect([exitCode, stdout.toString()]).toEqual([1, "stopping\n"]);
  const ended = await world.taskNamed("polite");
  expect(endOfTask(ended)).toBe("aborted cancelled");
  expect(ended.abort).toMatchObject({ signals: ["TERM"], process_tree_ended: true });
});

test("a command that finishes its work in spite of the signal is completed", async () => {
  const child = world.start(["--name", "finished"], ["bash", "-c", "trap 'exit 0' TERM; while :; do sleep 0.05; done"]);
  await world.abort(await whenAbortable("finished"));
  expect((await endOf(child)).exitCode).toBe(0);
  expect(endOfTask(await world.taskNamed("finished"))).toBe("completed success");
});

test("what ignores the polite signal is killed with its whole tree, other sessions included, and nothing else", async () => {
  const bystander = Bun.spawn(["sleep", "60"]);
  const deaf = "trap '' TERM INT HUP; echo $$ >> pids; while :; do sleep 0.1; done";
  writeFileSync(join(world.path, "deaf"), deaf);
  // The second and third have sessions of their own, and the parent of the third has ended.
  const script = `echo $$ >> pids; trap '' TERM; bash deaf & setsid bash deaf & setsid --fork bash deaf; while :; do sleep 0.1; done`;
  const child = world.start(["--name", "deaf", "--abort-grace", "5s"], ["bash", "-c", script]);
  await until(() => pids().length === 4);
  const task = await whenAbortable("deaf");
  const askedAt = performance.now();
  await world.abort(task);
  expect((await world.taskNamed("deaf")).status).toBe("aborting");
  expect((await endOf(child)).exitCode).toBe(137);
  expect(performance.now() - askedAt).toBeWithin(5_000, timeLimit(10_000));
  const ended = await world.taskNamed("deaf");
  expect(endOfTask(ended)).toBe("aborted cancelled");
  expect(ended.abort).toMatchObject({ signals: ["TERM", "KILL"], process_tree_ended: true });
  expect(await Promise.all(pids().map(isAlive))).toEqual([false, false, false, false]);
  expect(bystander.exitCode).toBeNull();
  bystander.kill();
}, 120_000);

test("a daemon that outlives its command is found, too, and those that were there before are left alone", async () => {
  const script = 'sleep 60 > /dev/null 2>&1 & echo $! > before; exec "$@"';
  const daemons =
    "setsid --fork sh -c 'echo $$ > daemon; exec sleep 60'; for i in 1 2 3; do setsid --fork true; done; exec sleep 60";
  const alone = world.start(["--name", "daemon", "--abort-grace", "5s"], ["sh", "-c", daemons]);
  const task = await whenAbortable("daemon");
  const states = () => Bun.spawnSync(["ps", "-o", "stat=", "--ppid", String(alone.pid)]).stdout.toString();
  await until(() => !/^Z/m.test(states()));
  await world.abort(task);
  const left = world.run(["--name", "beside", "--timeout", "0.5s"], ["sleep", "60"], {
    under: ["sh", "-c", script, "sh"],
  });
  expect((await endOf(alone)).exitCode).toBe(143);
  const ended = await world.taskNamed("daemon");
  expect(ended.abort).toMatchObject({ signals: ["TERM", "KILL"], process_tree_ended: true });
  const pidIn = (name: string) => Number(readFileSync(join(world.path, name), "utf8"));
  expect(await isAlive(pidIn("daemon"))).toBe(false);
  expect((await left).exitCode).toBe(124);
  expect(await isAlive(pidIn("before"))).toBe(true);
  process.kill(pidIn("before"));
}, 120_000);

test("--timeout stops it like an abort, and says so", async () => {
  const { exitCode } = await world.run(["--name", "slow", "--timeout", "0.5s"], ["sleep", "60"]);
  expect(exitCode).toBe(124);
  expect(endOfTask(await world.taskNamed("slow"))).toBe("failed error time_exceeded");
});

test("--stall stops what says nothing, and leaves alone what does", async () => {
  const quiet = await world.run(["--name", "stuck", "--stall", "0.7s"], ["sh", "-c", "echo a >&2; exec sleep 60"]);
  expect(quiet.exitCode).toBe(143);
  expect(endOfTask(await world.taskNamed("stuck"))).toBe("failed error no_progress");
  // A machine that is busy with others may keep it waiting for as long as ten pauses.
  const busy = "for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do echo $i >&2; sleep 0.25; done";
  expect((await world.run(["--name", "busy", "--stall", "3s"], ["sh", "-c", busy])).exitCode).toBe(0);
  expect(endOfTask(await world.taskNamed("busy"))).toBe("completed success");
});

test("a slow reader does not stop heartbeats and aborts", async () => {
  const child = world.start(
    ["--name", "unread", "--log", "none", "--engine", "restic"],
    ["bash", "-c", "while :; do echo line; done"],
  );
  const task = await whenAbortable("unread");
  await world.abort(task);
  await until(async () => !(await isAlive(child.pid)) || (await world.taskNamed("unread")).status === "aborting");
  const { signal } = await endOf(child);
  expect(signal).toBeNull();
  expect(endOfTask(await world.taskNamed("unread"))).toBe("aborted cancelled");
  expect(spooled(world.spool)).toEqual([]);
}, 120_000);
