import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { makeFiles, makeUnreadable } from "../../../runner/test/run-engine";
import { mountSmallDisk, noDisk } from "../../../runner/test/small-disk";
import { firstOf } from "../../../server/test/runs";
import { run, spooled } from "./runner";
import { openRunWorld, type ShownTask } from "./service";

const world = await openRunWorld();
afterAll(world.close);

const environment = {
  RESTIC_PASSWORD: "correct horse",
  RESTIC_REPOSITORY: join(world.path, "restic"),
  RESTIC_CACHE_DIR: join(world.path, "cache"),
  BORG_PASSPHRASE: "correct horse",
  BORG_REPO: join(world.path, "borg"),
  BORG_BASE_DIR: join(world.path, "borg-base"),
};
const files = join(world.path, "files");
let count = 0;

beforeAll(async () => {
  makeFiles(files, { a: 300_000, b: 3_000_000 });
  await run(["restic", "init"], { environment, cwd: world.path });
  await run(["borg", "init", "-e", "repokey-blake2"], { environment, cwd: world.path });
});

interface Reported {
  task: ShownTask;
  exitCode: number | null;
  end: string;
  log: string;
}

/** Runs a command to its end, and gives what the service knows of it. */
async function reported(
  command: readonly string[],
  flags: string[] = [],
  more: Record<string, string> = {},
): Promise<Reported> {
  count += 1;
  const name = `run ${count}`;
  const { exitCode } = await world.run(["--name", name, ...flags], command, {
    environment: { ...environment, ...more },
  });
  return known(name, exitCode);
}

async function known(name: string, exitCode: number | null): Promise<Reported> {
  const task = await world.taskNamed(name);
  const end = [task.status, task.outcome, ...(task.error ? [task.error.code] : [])].join(" ");
  return { task, exitCode, end, log: (await world.logOf(task)) ?? "" };
}

afterAll(() => expect(spooled(world.spool)).toEqual([]));

test("restic: backup, restore and prune, with progress and log", async () => {
  const backup = await reported(["restic", "backup", files], ["--progress", "on"]);
  expect([backup.end, backup.task.type, backup.task.category]).toEqual([
    "completed success",
    "restic_backup",
    "backup",
  ]);
  expect([backup.task.progress_percentage, backup.task.progress_message]).toEqual([100, expect.stringContaining("2")]);
  expect(backup.log).not.toBe("");
  const restore = await reported(["restic", "restore", "latest", "--target", join(world.path, "restored")]);
  expect([restore.end, restore.task.category]).toEqual(["completed success", "restore"]);
  expect(existsSync(join(world.path, "restored", files, "b"))).toBe(true);
  const prune = await reported(["restic", "forget", "--keep-last", "1", "--prune"]);
  expect([prune.end, prune.task.type]).toEqual(["completed success", "restic_forget"]);
}, 120_000);

test("borg: create, extract and prune, with log", async () => {
  const create = await reported(["borg", "create", "--stats", "::one", files]);
  expect([create.end, create.task.type]).toEqual(["completed success", "borg_create"]);
  expect(create.log).toContain("Archive name: one");
  mkdirSync(join(world.path, "extracted"));
  const extract = await reported(
    ["sh", "-c", "cd extracted && borg extract ::one"],
    ["--engine", "borg", "--category", "restore"],
  );
  expect([extract.end, extract.task.category]).toEqual(["completed success", "restore"]);
  const prune = await reported(["borg", "prune", "--keep-last", "1"]);
  expect([prune.end, prune.task.category]).toEqual(["completed success", "system"]);
}, 120_000);

const failures: [what: string, command: string[], more: Record<string, string>, end: string][] = [
  [
    "restic: wrong password",
    ["restic", "backup", files],
    { RESTIC_PASSWORD: "battery staple" },
    "failed error wrong_password",
  ],
  [
    "restic: missing repository",
    ["restic", "backup", files],
    { RESTIC_REPOSITORY: "/no/such" },
    "failed error repository_missing",
  ],
  ["restic: missing source", ["restic", "backup", "/no/such"], {}, "failed error source_missing"],
  ["borg: missing source", ["borg", "create", "::two-{now:%H%M%S%f}", "/no/such"], {}, "failed error source_missing"],
  ["tar: missing source", ["tar", "-cf", "x.tar", "/no/such"], {}, "failed error source_missing"],
  ["rsync: missing source", ["rsync", "-a", "/no/such/", "copied"], {}, "failed error source_missing"],
  [
    "borg: wrong password",
    ["borg", "create", "::two", files],
    { BORG_PASSPHRASE: "battery staple" },
    "failed error wrong_password",
  ],
  [
    "borg: missing repository",
    ["borg", "create", "::two", files],
    { BORG_REPO: "/no/such" },
    "failed error repository_missing",
  ],
];

// That borg says the same without a service is seen in the tests of the runner, for each failure.
test.each(firstOf(6, failures))(
  "%s",
  async (_, command, more, end) => {
    const bare = await run(command, { cwd: world.path, environment: { ...environment, ...more } });
    const ours = await reported(command, [], more);
    expect([ours.end, ours.exitCode]).toEqual([end, bare.exitCode]);
    expect(JSON.stringify([ours.task, ours.log])).not.toContain("battery staple");
  },
  120_000,
);

test("an unreadable file, as an ordinary user, inside a command that is not looked into, is a warning as outside of it", async () => {
  const source = join(world.path, "half");
  makeFiles(source, { a: 1000 });
  makeUnreadable(join(source, "secret"));
  chmodSync(world.path, 0o755);
  const ordinary = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"];
  const own = {
    RESTIC_REPOSITORY: join(world.path, "home/repository"),
    RESTIC_CACHE_DIR: join(world.path, "home/cache"),
  };
  await run([...ordinary, "restic", "init"], { cwd: world.path, environment: { ...environment, ...own } });
  const { end, exitCode } = await reported([...ordinary, "restic", "backup", source], ["--engine", "restic"], own);
  expect(end).toBe("completed warning files_unreadable");
  expect(exitCode).toBe(3);
}, 120_000);

test("others: tar, rsync and rclone are completed", async () => {
  const ends = [
    await reported(["tar", "-cf", "all.tar", "files"]),
    await reported(["rsync", "-a", "files/", "copied"]),
    await reported(["rclone", "sync", "files", "cloned"]),
  ];
  expect(ends.map(({ end, task }) => `${task.type} ${end}`)).toEqual([
    "tar_create completed success",
    "rsync_copy completed success",
    "rclone_sync completed success",
  ]);
  expect(existsSync(join(world.path, "cloned/b"))).toBe(true);
}, 120_000);

test(`a full disk under the repository${noDisk}`, async () => {
  const path = join(world.path, "small");
  using _ = mountSmallDisk(path, 3);
  const own = { RESTIC_REPOSITORY: join(path, "repository") };
  await run(["restic", "init"], { cwd: world.path, environment: { ...environment, ...own } });
  expect((await reported(["restic", "backup", files], [], own)).end).toBe("failed error repository_full");
}, 120_000);
