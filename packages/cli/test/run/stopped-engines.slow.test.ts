import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { makeFiles } from "../../../runner/test/run-engine";
import { size } from "../../../server/test/runs";
import { endOf, isAlive, run, until } from "./runner";
import { openRunWorld } from "./service";

const world = await openRunWorld();
afterAll(world.close);

const environment = {
  RESTIC_PASSWORD: "correct horse",
  RESTIC_REPOSITORY: join(world.path, "restic"),
  RESTIC_CACHE_DIR: join(world.path, "cache"),
  BORG_REPO: join(world.path, "borg"),
  BORG_BASE_DIR: join(world.path, "borg-base"),
};
const here = { cwd: world.path, environment };
const alone = (...command: string[]) => run(command, here);

beforeAll(async () => {
  engines.restic.prepare();
  await Promise.all([alone("restic", "init"), alone("borg", "init", "-e", "none"), alone("mkfifo", "slow")]);
});

/** An engine in the middle of its work. */
interface StoppedEngine {
  /** A backup that takes seconds. */
  backup: string[];
  prepare(): void;
  /** Keeps it at its work for as long as a slow machine needs to look at it, and lets it work again. */
  hold(pid: number): void;
  release(pid: number): void;
  /** Lets it come to its end. */
  letItEnd(): void;
  isAtWork(): boolean;
  /** A command that needs the lock which the backup holds. */
  second: string[];
  /** Removes the lock that a killed engine leaves, and checks the repository as the engine's makers do. */
  repair: string[];
  check: string[];
  list: string[];
}

let writer: Bun.Subprocess | undefined;
const engines: Record<"restic" | "borg", StoppedEngine> = {
  restic: {
    backup: ["restic", "backup", "--limit-upload", "2000", "some"],
    // Other data for each run: what is there already is not uploaded again.
    prepare: () => makeFiles(join(world.path, "some"), { one: 8_000_000 }),
    hold: (pid) => process.kill(pid, "SIGSTOP"),
    release: (pid) => process.kill(pid, "SIGCONT"),
    letItEnd() {},
    isAtWork: () => readdirSync(join(world.path, "restic/locks")).length > 0,
    second: ["restic", "prune"],
    repair: ["restic", "unlock", "--remove-all"],
    check: ["restic", "check", "--read-data"],
    list: ["restic", "snapshots", "--json"],
  },
  borg: {
    // A pipe that nothing comes from yet: borg waits without a load for the machine.
    backup: ["borg", "create", "--read-special", "::{now:%H%M%S%f}", "some", "slow"],
    prepare() {
      writer = Bun.spawn(["sh", "-c", "exec sleep 60 > slow"], { cwd: world.path });
    },
    hold() {},
    release() {},
    letItEnd: () => writer?.kill(),
    isAtWork: () => readdirSync(join(world.path, "borg")).includes("lock.exclusive"),
    second: ["borg", "create", "--lock-wait", "0", "::second", "some"],
    repair: ["borg", "break-lock"],
    check: ["borg", "check"],
    list: ["borg", "list", "--short"],
  },
};

const stops = [
  ["restic", "KILL", "runner", "failed lost runner_lost"],
  ["borg", "INT", "engine", "aborted error interrupted"],
  ["borg", "KILL", "runner", "failed lost runner_lost"],
  ["restic", "TERM", "engine", "aborted error interrupted"],
  ["borg", "TERM", "runner", "aborted error interrupted"],
  ["restic", "INT", "runner", "aborted error interrupted"],
  ["restic", "KILL", "engine", "failed error killed"],
  ["borg", "KILL", "engine", "failed error killed"],
  ["restic", "TERM", "runner", "aborted error interrupted"],
  ["restic", "INT", "engine", "aborted error interrupted"],
  ["borg", "INT", "runner", "aborted error interrupted"],
  ["borg", "TERM", "engine", "aborted error interrupted"],
] as const;

/** The process of an engine below a runner; it may also be asked for its version there. */
function engineBelow(runner: number, command: readonly string[]): number {
  const lines = Bun.spawnSync(["ps", "-ww", "-o", "pid=,args=", "--ppid", String(runner)])
    .stdout.toString()
    .split("\n");
  return Number.parseInt(lines.find((line) => line.includes(` ${command[1]} `)) ?? "", 10);
}

const endOfTask = async (name: string) => {
  const { status, outcome, error } = await world.taskNamed(name);
  return [status, outcome, ...(error ? [error.code] : [])].join(" ");
};

/** Starts a backup through the runner, and gives it once the engine holds its lock and the task is known. */
async function begin(name: string, { prepare, backup, isAtWork, hold }: StoppedEngine) {
  prepare();
  const child = world.start(["--name", name], backup, { environment });
  await until(isAtWork);
  const pid = await until(() => engineBelow(child.pid, backup));
  hold(pid);
  await until(() => world.taskNamed(name));
  return { child, pid };
}

test.each(stops.slice(0, size({ default: 2, long: stops.length })))(
  "%s: SIG%s of the %s in the middle of a backup: %s, and the repository is sound",
  async (engineName, signal, target, end) => {
    const engine = engines[engineName];
    const name = `${engineName} ${signal} ${target}`;
    const before = await alone(...engine.list);
    const { child, pid } = await begin(name, engine);
    process.kill({ runner: child.pid, engine: pid }[target], `SIG${signal}`);
    engine.release(pid);
    await child.exited;
    await world.deliver();
    expect(await endOfTask(name)).toBe(end);
    // Only the runner's own death leaves an engine behind, and that comes to its end.
    const isLeft = end === "failed lost runner_lost";
    expect(isLeft || !(await isAlive(pid))).toBe(true);
    engine.letItEnd();
    await until(async () => !(await isAlive(pid)));
    await alone(...engine.repair);
    const after = await alone(...engine.list);
    expect(!after.stdout.equals(before.stdout)).toBe(isLeft);
    expect((await alone(...engine.check)).exitCode).toBe(0);
  },
  120_000,
);

test.each(["restic", "borg"] as const)(
  "%s: a repository that another run has locked",
  async (engineName) => {
    const engine = engines[engineName];
    const { child, pid } = await begin(`${engineName} holds`, engine);
    const bare = await alone(...engine.second);
    const ours = await world.run(["--name", `${engineName} waits`], engine.second, { environment });
    expect([ours.exitCode, ours.stderr.toString()]).toEqual([bare.exitCode, expect.stringContaining("lock")]);
    expect(await endOfTask(`${engineName} waits`)).toBe("failed error repository_locked");
    const { error } = await world.taskNamed(`${engineName} waits`);
    expect(error.remedy).toContain({ restic: "restic unlock", borg: "borg break-lock" }[engineName]);
    engine.release(pid);
    engine.letItEnd();
    expect((await endOf(child)).exitCode).toBe(0);
    expect(await endOfTask(`${engineName} holds`)).toBe("completed success");
  },
  120_000,
);
