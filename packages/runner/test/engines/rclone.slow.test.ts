import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { expectSameForAllCuts } from "../random-cuts";
import {
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
  makeFiles(join(cwd, "good"), { a: 3_000_000, b: 3_000_000 });
  makeFiles(join(cwd, "bad"), { a: 1000, "ü 😀": 10 });
  makeUnreadable(join(cwd, "bad", "unreadable"));
});

const withoutTimes = (text: string) => text.replace(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/gm, "TIME");

async function compare(args: readonly string[]) {
  const argv = (target: string) => ["rclone", ...args.map((arg) => arg.replace("TARGET", target))];
  const command = recogniseIn(argv("added"), options);
  const changed = withFlags(command, [1, 60, 1]);
  // Statistics every tenth of a second, so that a short run has some.
  const quick = changed.argv.map((arg) => arg.replace("--stats=5s", "--stats=100ms"));
  const [bare, added] = [await record(argv("bare"), options), await record(quick, options)];
  const read = expectSameForAllCuts(command, added, changed.hasAdditions);
  return { bare, added, read, changed, ending: summary(endingOfRun(command, added, { hasAdditions: true })) };
}

test("rclone: our flags are turned back byte for byte, and show progress", async () => {
  const { bare, read, changed, ending } = await compare(["copy", "--bwlimit", "10M", "good", "TARGET"]);
  expect(changed.argv).toEqual(
    "rclone copy --use-json-log --stats=5s --stats-log-level=NOTICE --bwlimit 10M good added".split(" "),
  );
  expect([read.stdout, withoutTimes(read.stderr)]).toEqual([latin1(bare.stdout), withoutTimes(latin1(bare.stderr))]);
  expect(withoutTimes(read.stderr)).toStartWith("TIME NOTICE: Config file");
  const percentages = read.progress.flatMap(({ percentage }) => (percentage === undefined ? [] : [percentage]));
  expect(percentages.some((percentage) => percentage > 0 && percentage < 100)).toBe(true);
  expect(ending).toBe("completed success");
});

test("rclone: errors are turned back, and an unreadable file is a failure", async () => {
  const { bare, added, read, ending } = await compare(["copy", "bad", "TARGET-bad"]);
  expect([added.exitCode, withoutTimes(read.stderr)]).toEqual([bare.exitCode, withoutTimes(latin1(bare.stderr))]);
  expect(read.stderr).toContain("ERROR : unreadable: Failed to copy");
  expect(ending).toBe("failed error files_unreadable");
  const missing = await compare(["copy", "nosuch", "TARGET-missing"]);
  expect(withoutTimes(missing.read.stderr)).toBe(withoutTimes(latin1(missing.bare.stderr)));
  expect(missing.ending).toBe("failed error source_missing");
});

test("rclone: unknown remote, nothing transferred, wrong use", async () => {
  expect(await endOf(["rclone", "copy", "good", "nosuch:x"], options)).toBe("failed error repository_missing");
  expect(await endOf(["rclone", "copy", "good/a", "twice"], options)).toBe("completed success");
  const again = ["rclone", "copy", "--error-on-no-transfer", "good/a", "twice"];
  expect(await endOf(again, options)).toBe("completed warning nothing_transferred");
  expect(await endOf(["rclone", "copy", "--nosuch"], options)).toBe("failed error wrong_usage");
});

test("rclone: INT and TERM are aborted, KILL is failed", async () => {
  const ended = (name: NodeJS.Signals) =>
    endOf(["rclone", "copy", "--bwlimit", "1M", "good", `signal-${name}`], {
      ...options,
      signal: { name, when: () => hasFiles(join(cwd, `signal-${name}`)) },
    });
  expect(await Promise.all([ended("SIGINT"), ended("SIGTERM"), ended("SIGKILL")])).toEqual([
    "aborted error interrupted",
    "aborted error interrupted",
    "failed error killed",
  ]);
});

test.skipIf(noDisk !== "")(`rclone: a full disk is named${noDisk}`, async () => {
  using _ = mountSmallDisk(join(cwd, "small"), 2);
  expect(await endOf(["rclone", "copy", "--retries", "1", "good", "small"], options)).toBe(
    "failed error repository_full",
  );
});
