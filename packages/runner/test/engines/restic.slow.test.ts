import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
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
const options = { cwd, environment: { RESTIC_PASSWORD: "correct horse", RESTIC_REPOSITORY: "repo" } };
afterAll(() => folder[Symbol.dispose]());

beforeAll(async () => {
  makeFiles(join(cwd, "good"), { a: 3_000_000, b: 3_000_000 });
  makeFiles(join(cwd, "medium"), { a: 12_000_000, b: 12_000_000 });
  makeFiles(join(cwd, "bad"), { a: 100_000 });
  makeUnreadable(join(cwd, "bad", "unreadable"));
  makeFiles(join(cwd, "large"), { a: 60_000_000 });
  expect((await record(["restic", "init"], options)).exitCode).toBe(0);
});

test("restic: --json becomes text again, and shows progress and a summary", async () => {
  const command = recogniseIn(["restic", "backup", "--limit-upload", "12000", "medium"], options);
  const { argv, environment, hasAdditions } = withFlags(command, [0, 14, 0]);
  expect(argv).toEqual(["restic", "backup", "--json", "--limit-upload", "12000", "medium"]);
  expect(environment).toEqual({ RESTIC_PROGRESS_FPS: "0.5" });
  const recording = await record(argv, {
    ...options,
    environment: { ...options.environment, RESTIC_PROGRESS_FPS: "20" },
  });
  const { stdout, log, progress } = expectSameForAllCuts(command, recording, hasAdditions);
  expect(stdout).toMatch(
    /^Files: 2 new, 0 changed, 0 unmodified\nDirs: 1 new.*\nAdded.*\nprocessed 2 files, 22\.9 MiB\nsnapshot \w+ saved\n$/,
  );
  expect(log).toBe(stdout);
  expect(progress.length).toBeGreaterThan(0);
  const percentages = progress.flatMap(({ percentage }) => (percentage === undefined ? [] : [percentage]));
  expect(Math.max(...percentages)).toBeGreaterThan(10);
  expect(endingOfRun(command, recording, { hasAdditions })).toEqual({
    status: "completed",
    outcome: "success",
    error: null,
    progressMessage: expect.stringMatching(
      /^processed 2 files, 22\.9 MiB, Added to the repository: .*, snapshot \w+ saved$/,
    ),
  });
});

test("restic: the user's own --json is passed on as it is, and read in passing", async () => {
  const command = recogniseIn(["restic", "backup", "--json", "bad"], options);
  expect(withFlags(command, [0, 14, 0]).hasAdditions).toBe(false);
  const recording = await record(command.argv, options);
  const { stdout, stderr, log, progress } = expectSameForAllCuts(command, recording, false);
  expect([stdout, stderr]).toEqual([latin1(recording.stdout), latin1(recording.stderr)]);
  expect(log).not.toContain("message_type");
  expect(progress.length).toBeGreaterThan(0);
});

test("restic: an unreadable file is a warning, with and without --json", async () => {
  const plain = await endingAfter(["restic", "backup", "bad"], options);
  const json = await endingAfter(["restic", "backup", "--json", "bad"], options);
  expect([summary(plain.ending), summary(json.ending)]).toEqual([
    "completed warning files_unreadable",
    "completed warning files_unreadable",
  ]);
  expect(plain.ending.error?.message).toBe("error: open bad/unreadable: permission denied");
  expect(json.ending.error).toEqual(plain.ending.error);
});

test("restic: missing sources, wrong and missing password, no repository, wrong use", async () => {
  const environment = options.environment;
  const withEnvironment = (more: Record<string, string>) => ({ cwd, environment: { ...environment, ...more } });
  expect(
    await Promise.all([
      endOf(["restic", "backup", "nosuch"], options),
      endOf(["restic", "backup", "nosuch", "good"], options),
      endOf(["restic", "backup", "good"], withEnvironment({ RESTIC_PASSWORD: "wrong" })),
      endOf(["restic", "backup", "good"], withEnvironment({ RESTIC_PASSWORD: "" })),
      endOf(["restic", "backup", "good"], withEnvironment({ RESTIC_REPOSITORY: "norepo" })),
      endOf(["restic", "backup", "--nosuch"], options),
      endOf(["restic", "restore", "0123abcd", "--target", "out"], options),
    ]),
  ).toEqual([
    "failed error source_missing",
    "completed warning source_missing",
    "failed error wrong_password",
    "failed error password_missing",
    "failed error repository_missing",
    "failed error wrong_usage",
    "failed error archive_missing",
  ]);
});

test("restic: INT and TERM are aborted, KILL is failed, and the lock that is left is named", async () => {
  const slow = ["restic", "backup", "--limit-upload", "300", "large"];
  const areAllAtWork = () => readdirSync(join(cwd, "repo", "locks")).length >= 3;
  const ended = (name: NodeJS.Signals) => endOf(slow, { ...options, signal: { name, when: areAllAtWork } });
  expect(await Promise.all([ended("SIGINT"), ended("SIGTERM"), ended("SIGKILL")])).toEqual([
    "aborted error interrupted",
    "aborted error interrupted",
    "failed error killed",
  ]);
  const { ending } = await endingAfter(["restic", "prune"], options);
  expect(summary(ending)).toBe("failed error repository_locked");
  expect(ending.error?.remedy).toContain("restic unlock");
});

test.skipIf(noDisk !== "")(`restic: a full disk is named${noDisk}`, async () => {
  using _ = mountSmallDisk(join(cwd, "small"), 4);
  const small = { cwd, environment: { ...options.environment, RESTIC_REPOSITORY: "small/repo" } };
  expect((await record(["restic", "init"], small)).exitCode).toBe(0);
  expect(await endOf(["restic", "backup", "good"], small)).toBe("failed error repository_full");
});

test("restic: its version is read", async () => {
  const { stdout } = await record(["restic", ...(engines.restic.version?.args ?? [])], options);
  expect(engines.restic.version?.parse(latin1(stdout))).toEqual([0, expect.any(Number), expect.any(Number)]);
});
