import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { engines } from "../../src/engines";
import { expectSameForAllCuts } from "../random-cuts";
import {
  endingAfter,
  endingOfRun,
  endOf,
  latin1,
  makeEngineFolder,
  makeFiles,
  makeUnreadable,
  recogniseIn,
  record,
  summary,
  withFlags,
} from "../run-engine";
import { mountSmallDisk, noDisk } from "../small-disk";

const folder = makeEngineFolder();
const cwd = folder.path;
const options = {
  cwd,
  environment: { BORG_PASSPHRASE: "correct horse", BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK: "yes" },
};
afterAll(() => folder[Symbol.dispose]());

beforeAll(async () => {
  makeFiles(join(cwd, "good"), { a: 2_000_000, "ü 😀": 10 });
  makeFiles(join(cwd, "bad"), { a: 100_000 });
  makeUnreadable(join(cwd, "bad", "unreadable"));
  makeFiles(join(cwd, "large"), { a: 250_000_000 });
  // Without a key, two repositories cut files into the same chunks.
  const init = (name: string, kind: string) => record(["borg", "init", "-e", kind, name], options);
  const made = await Promise.all([init("bare", "none"), init("added", "none"), init("sealed", "repokey")]);
  expect(made.map(({ exitCode }) => exitCode)).toEqual([0, 0, 0]);
});

/** Runs a command bare on one repository, and with our flags on another that is like it. */
async function compare(args: readonly string[]) {
  const argv = (repository: string) => ["borg", ...args.map((arg) => arg.replace("REPO", repository))];
  const command = recogniseIn(argv("added"), options);
  const changed = withFlags(command, [1, 2, 4]);
  const bare = await record(argv("bare"), options);
  const added = await record(changed.argv, options);
  const read = expectSameForAllCuts(command, added, changed.hasAdditions);
  return { bare, added, read, changed, ending: summary(endingOfRun(command, added, { hasAdditions: true })) };
}

test("borg: --log-json --progress is turned back byte for byte, and shows progress", async () => {
  const { bare, added, read, changed, ending } = await compare(["create", "--list", "REPO::one", "good", "bad"]);
  expect(changed.argv).toEqual(["borg", "create", "--log-json", "--progress", "--list", "added::one", "good", "bad"]);
  expect(latin1(bare.stderr)).toContain("bad/unreadable: open: [Errno 13]");
  expect([read.stdout, read.stderr]).toEqual([latin1(bare.stdout), latin1(bare.stderr)]);
  expect(added.exitCode).toBe(bare.exitCode);
  expect(read.progress.length).toBeGreaterThan(0);
  expect(ending).toBe("completed warning files_unreadable");
});

/** Progress that a run of a command showed. */
function shownIn(
  command: string,
  [name]: readonly string[],
  { progress }: Awaited<ReturnType<typeof compare>>["read"],
) {
  return name === command ? progress.map(({ percentage = 0 }) => percentage) : [];
}

test("borg: statistics, a check and errors are turned back, too", async () => {
  // Times, fingerprints and the repository's name differ from run to run.
  const steady = (text: string) =>
    text
      .replace(/^(Archive fingerprint|Time \(\w+\)|Duration): .*$/gm, "$1")
      .replace(/\b(bare|added)\b/g, "REPO")
      .replace(/\w{3}, [\d-]+ [\d:]+ \[\w{64}\]/g, "ARCHIVE")
      // Times are part of what is stored.
      .replace(/^(This archive: .* )\d+ B$/gm, "$1 N");
  const all = [
    ["create", "--stats", "REPO::two", "good"],
    ["check", "-v", "REPO"],
    ["create", "norepo::x", "good"],
    ["prune", "--list", "--keep-last", "1", "REPO"],
    ["create", "REPO::two", "good"],
    ["compact", "-v", "REPO"],
    ["extract", "--list", "--dry-run", "REPO::two"],
    ["create", "--nosuch", "REPO::x"],
    ["check", "REPO"],
  ];
  let highest = 0;
  // borg takes half a second for each, twice. The long run has all.
  for (const args of process.env.HOLDFAST_TEST_DEFAULT === "1" ? all.slice(0, 3) : all) {
    const { bare, read } = await compare(args);
    expect([args[0], steady(read.stdout), steady(read.stderr)]).toEqual([
      args[0],
      steady(latin1(bare.stdout)),
      steady(latin1(bare.stderr)),
    ]);
    highest = Math.max(highest, ...shownIn("check", args, read));
  }
  expect(highest).toBeGreaterThan(50);
});

test("borg: no source at all is a failure, although borg makes an empty archive and calls it a warning", async () => {
  const plain = await endingAfter(["borg", "create", "bare::empty", "nosuch", "./nosuch2/"], options);
  expect(plain.recording.exitCode).toBe(1);
  expect(summary(plain.ending)).toBe("failed error source_missing");
  expect(plain.ending.error?.message).toStartWith("nosuch: [Errno 2]");
  expect((await compare(["create", "REPO::empty2", "nosuch"])).ending).toBe("failed error source_missing");
  expect(await endOf(["borg", "create", "bare::half", "nosuch", "good"], options)).toBe(
    "completed warning source_missing",
  );
});

test("borg: success, wrong passphrase, no repository, an archive that exists or does not, a lock, wrong use", async () => {
  expect(await endOf(["borg", "create", "bare::good", "good"], options)).toBe("completed success");
  const wrong = { cwd, environment: { ...options.environment, BORG_PASSPHRASE: "wrong" } };
  expect(await endOf(["borg", "create", "sealed::x", "good"], wrong)).toBe("failed error wrong_password");
  expect(await endOf(["borg", "create", "norepo::x", "good"], options)).toBe("failed error repository_missing");
  expect(await endOf(["borg", "create", "bare::good", "good"], options)).toBe("failed error archive_exists");
  expect(await endOf(["borg", "extract", "bare::nosuch"], options)).toBe("failed error archive_missing");
  expect(await endOf(["borg", "create", "--nosuch", "bare::x"], options)).toBe("failed error wrong_usage");
  const holding = ["borg", "with-lock", "bare", "borg", "create", "--lock-wait", "0", "bare::x", "good"];
  const recording = await record(holding, options);
  const inner = recogniseIn(holding.slice(3), options);
  expect(summary(endingOfRun(inner, { ...recording, exitCode: 2 }))).toBe("failed error repository_locked");
});

test("borg: INT and TERM are aborted, KILL is failed", async () => {
  const lock = join(cwd, "bare", "lock.exclusive");
  const ended = (name: NodeJS.Signals, archive: string) =>
    endOf(["borg", "create", `bare::${archive}`, "large"], {
      ...options,
      signal: { name, when: () => existsSync(lock) },
    });
  expect([await ended("SIGINT", "i"), await ended("SIGTERM", "t"), await ended("SIGKILL", "k")]).toEqual([
    "aborted error interrupted",
    "aborted error interrupted",
    "failed error killed",
  ]);
});

test.skipIf(noDisk !== "")(`borg: a full disk is named${noDisk}`, async () => {
  using _ = mountSmallDisk(join(cwd, "small"), 2);
  expect((await record(["borg", "init", "-e", "none", "small/repo"], options)).exitCode).toBe(0);
  const { ending } = await endingAfter(["borg", "create", "small/repo::x", "good"], options);
  expect(summary(ending)).toBe("failed error repository_full");
});

test("borg: its version is read", async () => {
  const { stdout } = await record(["borg", ...(engines.borg.version?.args ?? [])], options);
  expect(engines.borg.version?.parse(latin1(stdout))).toEqual([1, expect.any(Number), expect.any(Number)]);
});
