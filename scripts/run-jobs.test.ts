import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runJob, runQueue } from "./run-jobs";
import { describeRun, readReport } from "./test-report";

/** Runs test files with these contents, and gives what became of them and what was told. */
async function run(contents: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "holdfast-test-"));
  for (const [file, body] of Object.entries(contents)) {
    writeFileSync(join(folder, file), `import { afterAll, expect, test } from "bun:test";\n${body}`);
  }
  const told: string[] = [];
  const tell = (line: string) => told.push(line);
  const job = { database: "sqlite" as const, files: Object.keys(contents) };
  const result = await runJob(job, { folder, environment: {}, timeout: 10_000, tell });
  return { result, end: describeRun([result]).split("\n"), told: told.join("\n") };
}

const passing = 'test("works", () => expect(process.env.HOLDFAST_TEST_ON).toBe("sqlite"));';

test("tests that pass are counted, and what they print is not shown", async () => {
  const { end, told } = await run({
    "a.test.ts": `${passing}\ntest("two", () => console.log("chatter"));`,
    "b.test.ts": passing,
  });
  expect(end.at(-1)).toBe("3 passed, 0 failed");
  expect(end.slice(0, 2)).toEqual(["The slowest files:", expect.stringMatching(/ 0\.\d s {2}sqlite: [ab]\.test\.ts$/)]);
  expect(told).toMatch(/^ok {4}sqlite: 2 files, the first is a\.test\.ts \(\d+\.\d s\)$/);
});

test("a test that fails is named with what it said, and the output of its job is shown", async () => {
  const { result, end, told } = await run({
    "a.test.ts": `${passing}\ntest("says <no>", () => expect("yes").toBe("no"));`,
  });
  expect(result.failed).toEqual([
    expect.stringMatching(/^sqlite: a\.test\.ts: says <no>\n {4}.*\n[\s\S]*Expected: "no"/),
  ]);
  expect(end.at(-1)).toBe("1 passed, 1 failed");
  expect(told).toContain("(fail) says <no>");
});

test("a file without a test, one that cannot be loaded, and a skipped test are failures", async () => {
  const { result } = await run({
    "empty.test.ts": "",
    "broken.test.ts": 'import "./absent";',
    "skipped.test.ts": `${passing}\ntest.skip("later", () => {});`,
  });
  const named = result.failed.map((one) => one.split("\n")[0]).sort();
  expect(named).toEqual([
    "sqlite: broken.test.ts: no test of it ran",
    "sqlite: empty.test.ts: no test of it ran",
    "sqlite: skipped.test.ts: later",
  ]);
});

test("what fails after the tests, a process that dies and a forgotten test.only are failures", async () => {
  const after = await run({ "a.test.ts": `${passing}\nafterAll(() => expect("left").toBe("tidy"));` });
  expect(after.end.at(-1)).toBe("1 passed, 1 failed");
  const killed = await run({ "a.test.ts": `${passing}\nafterAll(() => process.kill(process.pid, "SIGKILL"));` });
  expect(killed.result.failed).toEqual(["sqlite: a.test.ts: no test of it ran"]);
  const only = await run({ "a.test.ts": `${passing}\ntest.only("this", () => {});` });
  expect(only.result.failed).not.toEqual([]);
  const whole = '<testcase name="works" classname="" time="0" file="a.test.ts" line="1" assertions="1" />';
  expect(readReport(whole, 139, ["a.test.ts"]).failed).toEqual(["a.test.ts: ended with exit code 139"]);
});

test("a test that says why it cannot run here is counted apart", async () => {
  const { end } = await run({ "a.test.ts": `${passing}\ntest.skip("R3 not run, no disk: cuts", () => {});` });
  expect(end.at(-1)).toBe("1 passed, 0 failed, 1 skipped");
});

test("so much runs at a time as there are workers, in its order", async () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const jobs = ["a", "b", "c"].map((name) => () => {
    begun.push(name);
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)));
  });
  const done = runQueue(jobs, 2);
  expect(begun).toEqual(["a", "b"]);
  ends.get("b")?.();
  await Bun.sleep(1);
  expect(begun).toEqual(["a", "b", "c"]);
  ends.get("a")?.();
  ends.get("c")?.();
  expect(await done).toEqual(["b", "a", "c"]);
});
