import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { passesOf } from "./test-passes";

test("everything runs once, and what both databases do runs on PostgreSQL as well", () => {
  const [most, onPostgres, withProcesses, onDistributed, ...others] = passesOf("usual");
  expect(others).toEqual([]);
  const folders = withProcesses?.args.slice(1) ?? [];
  expect(most?.args).toEqual(["--timeout=30000", ...folders.map((folder) => `--path-ignore-patterns=${folder}/**`)]);
  expect(most?.environment).toEqual({ CI: "true", HOLDFAST_TEST_ON: "sqlite" });
  expect(withProcesses?.environment).toEqual({ CI: "true", HOLDFAST_TEST_ON: "sqlite" });
  expect(onPostgres?.environment).toEqual({ CI: "true", HOLDFAST_TEST_ON: "postgres", HOLDFAST_TEST_RUNS: "0.3" });
  const [timeout, ofSqlite, withBrowser, ...files] = onPostgres?.args ?? [];
  expect([timeout, ofSqlite, withBrowser]).toEqual([
    "--timeout=30000",
    "--path-ignore-patterns=**/*sqlite*.test.ts",
    "--path-ignore-patterns=**/*-in-a-browser*.test.ts",
  ]);
  expect(files.length).toBeGreaterThan(0);
  expect([...files, ...folders].filter((file) => !existsSync(file))).toEqual([]);
  expect(onDistributed?.environment).toEqual({
    CI: "true",
    HOLDFAST_TEST_ON: "distributed",
    HOLDFAST_TEST_RUNS: "0.3",
  });
  expect(onDistributed?.args).toEqual([
    "--timeout=30000",
    "--path-ignore-patterns=**/*memory*.test.ts",
    "packages/server/test/conformance",
  ]);
});

test("the quick part leaves out slow suites and tries less at random", () => {
  const passes = passesOf("quick");
  expect(passes.map(({ args }) => args)).toEqual([
    ["--timeout=30000", "--path-ignore-patterns=**/*.slow.test.ts"],
    [
      "--timeout=30000",
      "--path-ignore-patterns=**/*.slow.test.ts",
      "--path-ignore-patterns=**/*sqlite*.test.ts",
      "packages/server/test/conformance",
    ],
  ]);
  expect(passes.map(({ environment }) => environment.HOLDFAST_TEST_RUNS)).toEqual(["0.2", "0.2"]);
});

test("the long run says so to every test, and gives it time", () => {
  const passes = passesOf("long");
  expect(passes.map(({ environment }) => environment.HOLDFAST_TEST_LONG)).toEqual(passes.map(() => "1"));
  expect(passes.map(({ args }) => args[0])).toEqual(passes.map(() => "--timeout=600000"));
});
