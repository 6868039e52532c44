import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { engines } from "../../src/engines";
import { startPostgres } from "../postgres-server";
import { endingAfter, endOf, latin1, makeEngineFolder, recogniseIn, record, summary, writeForAll } from "../run-engine";

const folder = makeEngineFolder();
const cwd = folder.path;
const options = { cwd };
const config = join(cwd, "pgbackrest.conf");
const lock = join(cwd, "home", "lock", "main-backup.lock");
const archive = `pgbackrest --config=${config} --stanza=main archive-push %p`;
const server = await startPostgres(cwd, { wal_level: "replica", archive_mode: "on", archive_command: archive });
const pgbackrest = (...args: string[]) => ["pgbackrest", `--config=${config}`, "--stanza=main", ...args];

beforeAll(async () => {
  writeForAll(
    config,
    `[global]
repo1-path=${cwd}/home/repo
log-level-file=off
lock-path=${cwd}/home/lock
spool-path=${cwd}/home/spool
repo1-retention-full=2
start-fast=y
[main]
pg1-path=${server.data}
pg1-port=${server.port}
pg1-socket-path=${cwd}/sockets
pg1-user=postgres
`,
  );
  const made = await record(pgbackrest("stanza-create"), options);
  expect([made.exitCode, latin1(made.stderr)]).toEqual([0, ""]);
});
afterAll(async () => {
  await server.stop();
  folder[Symbol.dispose]();
});

/** The process that holds the lock, once one does. The lock's file begins with its number. */
async function holderOfLock(): Promise<number> {
  for (;;) {
    const [pid] = (existsSync(lock) ? readFileSync(lock, "utf8") : "").match(/\d+/) ?? [];
    if (pid !== undefined) return Number(pid);
    await Bun.sleep(10);
  }
}

test("pgbackrest: a backup, and one beside it that finds the lock", async () => {
  const first = endOf(pgbackrest("--type=full", "backup"), options);
  const holder = await holderOfLock();
  // It is kept at its work until the others have looked: a slow machine may need longer for that than the backup takes.
  process.kill(holder, "SIGSTOP");
  const second = await endingAfter(pgbackrest("backup"), options);
  expect(second.recording.exitCode).toBe(50);
  expect(second.ending).toEqual({
    status: "failed",
    outcome: "error",
    error: {
      code: "stanza_busy",
      message: expect.stringMatching(/^ERROR: \[050\]: unable to acquire lock on file/),
      remedy: expect.stringContaining("Wait until the other run has ended"),
    },
  });
  const command = recogniseIn(pgbackrest("--type=full", "backup"), options);
  const poll = engines.pgbackrest.poll;
  const args = poll?.args(command.invocation, [2, 45]) ?? [];
  expect(args).toEqual(["info", `--config=${config}`, "--stanza=main"]);
  const answer = await record(["pgbackrest", ...args], options);
  expect([answer.exitCode, latin1(answer.stdout)]).toEqual([0, expect.stringContaining("backup/expire running")]);
  process.kill(holder, "SIGCONT");
  expect(await first).toBe("completed success");
});

test("pgbackrest: an unknown stanza, a running server, no repository, TERM", async () => {
  expect(await endOf(["pgbackrest", `--config=${config}`, "--stanza=nosuch", "backup"], options)).toBe(
    "failed error wrong_usage",
  );
  expect(await endOf(pgbackrest("restore"), options)).toBe("failed error target_not_empty");
  const elsewhere = await endingAfter(pgbackrest(`--repo1-path=${cwd}/home/nosuch`, "backup"), options);
  expect(summary(elsewhere.ending)).toBe("failed error repository_missing");
  expect(elsewhere.ending.error?.message).toStartWith("ERROR: [055]");
  const target = `--pg1-path=${cwd}/home/target`;
  mkdirSync(join(cwd, "home/target"), { mode: 0o777 });
  chmodSync(join(cwd, "home/target"), 0o777);
  expect(await endOf(pgbackrest(target, `--repo1-path=${cwd}/home/nosuch`, "restore"), options)).toBe(
    "failed error repository_missing",
  );
  expect(await endOf(pgbackrest(target, "--set=20200101-000000F", "restore"), options)).toBe(
    "failed error archive_missing",
  );
  const ended = (name: NodeJS.Signals) =>
    endingAfter(pgbackrest("--type=full", "backup"), { ...options, signal: { name, when: () => existsSync(lock) } });
  const terminated = await ended("SIGTERM");
  expect([terminated.recording.exitCode, summary(terminated.ending)]).toEqual([63, "aborted error interrupted"]);
  expect(summary((await ended("SIGKILL")).ending)).toBe("failed error killed");
});

test("pgbackrest: its version is read", async () => {
  const { stdout } = await record(["pgbackrest", ...(engines.pgbackrest.version?.args ?? [])], options);
  expect(engines.pgbackrest.version?.parse(latin1(stdout))).toEqual([2, expect.any(Number)]);
});
