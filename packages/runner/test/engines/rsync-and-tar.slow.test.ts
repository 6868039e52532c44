import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { engines } from "../../src/engines";
import { expectSameForAllCuts } from "../random-cuts";
import {
  endingAfter,
  endingOfRun,
  endOf,
  hasFiles,
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
const options = { cwd };
afterAll(() => folder[Symbol.dispose]());

beforeAll(() => {
  makeFiles(join(cwd, "good"), { a: 3_000_000, b: 3_000_000, c: 3_000_000 });
  makeFiles(join(cwd, "bad"), { a: 3_000_000, n: 3_000_000, z: 3_000_000 });
  makeUnreadable(join(cwd, "bad", "b"));
  makeUnreadable(join(cwd, "bad", "unreadable"));
  makeFiles(join(cwd, "large"), { a: 200_000_000 });
});

async function compare(args: readonly string[]) {
  const argv = (target: string) => ["rsync", ...args.map((arg) => arg.replace("TARGET", target))];
  const command = recogniseIn(argv("added"), options);
  const changed = withFlags(command, [3, 2, 7]);
  const [bare, added] = [await record(argv("bare"), options), await record(changed.argv, options)];
  const read = expectSameForAllCuts(command, added, changed.hasAdditions);
  return { bare, added, read, changed, ending: summary(endingOfRun(command, added, { hasAdditions: true })) };
}

test("rsync: --info=progress2 is taken out byte for byte, and shows progress", async () => {
  const { bare, read, changed, ending, added } = await compare(["-a", "--bwlimit=20000", "good/", "TARGET"]);
  expect(changed.argv).toEqual(["rsync", "--info=progress2", "-a", "--bwlimit=20000", "good/", "added"]);
  expect(added.stdout.length).toBeGreaterThan(0);
  expect([read.stdout, read.stderr]).toEqual([latin1(bare.stdout), latin1(bare.stderr)]);
  const percentages = read.progress.flatMap(({ percentage }) => (percentage === undefined ? [] : [percentage]));
  expect(percentages.some((percentage) => percentage > 0 && percentage < 100)).toBe(true);
  expect(ending).toBe("completed success");
});

test("rsync: what it says between and after the pieces is left, on both streams", async () => {
  const steady = (text: string) =>
    text.replace(
      /[\d,.]+ bytes\/sec|\d\.\d{3} seconds|File list size: \d+|(sent:?|received:?|speedup is) [\d,.]+/g,
      "N",
    );
  for (const args of [
    ["-a", "bad/", "TARGET-bad"],
    ["-a", "--stats", "bad/", "TARGET-stats"],
    ["-ah", "nosuch", "good/a", "TARGET-missing"],
    ["-an", "--stats", "good/", "TARGET-dry"],
    ["-a", "--delete", "good/", "TARGET-bad"],
  ]) {
    const { bare, added, read } = await compare(args);
    expect(added.exitCode).toBe(bare.exitCode);
    expect([args, read.stderr, steady(read.stdout)]).toEqual([args, latin1(bare.stderr), steady(latin1(bare.stdout))]);
  }
});

test("rsync: 23 is a warning for unreadable files and a failure for a missing source", async () => {
  const unreadable = await endingAfter(["rsync", "-a", "bad/", "x1"], options);
  expect([unreadable.recording.exitCode, summary(unreadable.ending)]).toEqual([
    23,
    "completed warning files_unreadable",
  ]);
  expect(unreadable.ending.error?.message).toContain("Permission denied (13)");
  const missing = await endingAfter(["rsync", "-a", "nosuch/", "x2"], options);
  expect([missing.recording.exitCode, summary(missing.ending)]).toEqual([23, "failed error source_missing"]);
  expect(await endOf(["rsync", "-a", "good/a", "nosuch", "x3"], options)).toBe("failed error source_missing");
  expect(await endOf(["rsync", "--nosuch"], options)).toBe("failed error wrong_usage");
});

test("rsync and tar: signals", async () => {
  const ended = (name: NodeJS.Signals) =>
    endOf(["rsync", "-a", "--bwlimit=1000", "large", `signal-${name}`], {
      ...options,
      signal: { name, when: () => hasFiles(join(cwd, `signal-${name}`)) },
    });
  const tar = endOf(["tar", "cf", "signal.tar", "--use-compress-program=sh -c 'sleep 4; cat'", "large"], {
    ...options,
    signal: { name: "SIGTERM", when: () => existsSync(join(cwd, "signal.tar")) },
  });
  expect(await Promise.all([ended("SIGINT"), ended("SIGTERM"), ended("SIGKILL"), tar])).toEqual([
    "aborted error interrupted",
    "aborted error interrupted",
    "failed error killed",
    "aborted error interrupted",
  ]);
});

test("tar: 1 is a warning, 2 a failure that is named", async () => {
  expect(await endOf(["tar", "cf", "good.tar", "good"], options)).toBe("completed success");
  expect(await endOf(["tar", "cf", "bad.tar", "bad"], options)).toBe("failed error files_unreadable");
  expect(await endOf(["tar", "cf", "missing.tar", "nosuch", "good/a"], options)).toBe("failed error source_missing");
  expect(await endOf(["tar", "xf", "good/a"], options)).toBe("failed error pack_damaged");
  expect(await endOf(["tar", "--nosuch"], options)).toBe("failed error wrong_usage");
  makeFiles(join(cwd, "growing"), { a: 1_000_000 });
  chmodSync(join(cwd, "growing", "a"), 0o666);
  const grow = ["--checkpoint=50", "--checkpoint-action=exec=echo more >> growing/a"];
  const changed = await endingAfter(["tar", "cf", "growing.tar", ...grow, "growing"], options);
  expect([changed.recording.exitCode, summary(changed.ending)]).toEqual([1, "completed warning files_changed"]);
});

test.skipIf(noDisk !== "")(`rsync and tar: a full disk is named${noDisk}`, async () => {
  using _ = mountSmallDisk(join(cwd, "small"), 2);
  expect(await endOf(["rsync", "-a", "good/a", "small/"], options)).toBe("failed error repository_full");
  expect(await endOf(["tar", "cf", "small/x.tar", "good"], options)).toBe("failed error repository_full");
});

test("rsync and tar: their versions are read", async () => {
  for (const engine of [engines.rsync, engines.tar]) {
    const { stdout } = await record([engine.name, ...(engine.version?.args ?? [])], options);
    expect(engine.version?.parse(latin1(stdout))?.[0]).toBeGreaterThanOrEqual(1);
  }
});
