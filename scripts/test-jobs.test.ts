import { expect, test } from "bun:test";
import { findTestFiles } from "./test-files";
import {
  alikeOnBoth,
  jobsOf,
  measuresTime,
  measuresTimeInLongRun,
  mostlyWaits,
  needsDisk,
  noDatabaseChangesIt,
  onlyInLongRun,
  onPostgresInLongRun,
  shortLived,
} from "./test-jobs";
import { knownSeconds, type TestedDatabase } from "./test-seconds";

const files = await findTestFiles();
const jobs = jobsOf("usual", files);
const isUsual = (file: string) => !onlyInLongRun.includes(file);
const filesOn = (database: TestedDatabase) =>
  jobs
    .filter((job) => job.database === database)
    .flatMap((job) => job.files)
    .sort();

test("every test file runs once on SQLite, but for what is left to the long run", () => {
  expect(files).toContain("scripts/test-jobs.test.ts");
  expect(filesOn("sqlite")).toEqual(files.filter(isUsual));
  const long = jobsOf("long", files).filter(({ database }) => database === "sqlite");
  expect(long.flatMap((job) => job.files).sort()).toEqual(files);
});

test("what both databases do runs once on PostgreSQL, but for what none of them changes", () => {
  const ofSqlite = [
    "csrf-in-a-browser",
    "link-pages-in-a-browser",
    "broken-sqlite",
    "start-up-sqlite",
    "before-upgrade-sqlite",
  ];
  const expected = files
    .filter((file) => alikeOnBoth.some((place) => file.startsWith(place)))
    .filter((file) => ![...noDatabaseChangesIt, ...onPostgresInLongRun].includes(file))
    .filter((file) => !ofSqlite.some((name) => file.includes(name)));
  expect(filesOn("postgres")).toEqual(expected);
});

test("every place that is named is there", () => {
  const named = [
    ...alikeOnBoth,
    ...noDatabaseChangesIt,
    ...onPostgresInLongRun,
    ...onlyInLongRun,
    ...measuresTime,
    ...measuresTimeInLongRun,
    ...mostlyWaits,
    ...needsDisk,
    ...Object.keys(knownSeconds),
  ];
  expect(named.filter((place) => !files.some((file) => file.startsWith(place)))).toEqual([]);
});

test("what measures time runs alone, and nothing else does", () => {
  const alone = jobs.filter(({ isAlone }) => isAlone).map((job) => job.files);
  expect([...new Set(alone.flat())].sort()).toEqual(measuresTime.filter(isUsual).toSorted());
  expect(alone.filter((group) => group.length !== 1)).toEqual([]);
});

test("in the long run, overload and soak run alone, too", () => {
  const alone = jobsOf("long", files).filter(({ isAlone }) => isAlone);
  expect(alone.flatMap((job) => job.files)).toEqual(expect.arrayContaining(measuresTimeInLongRun));
  expect(alone.filter((job) => job.files.length !== 1)).toEqual([]);
});

test("what mostly waits has a job of its own, in no place of what works", () => {
  const waiting = jobs.filter((job) => job.mostlyWaits).map((job) => job.files);
  expect([...new Set(waiting.flat())].sort()).toEqual(mostlyWaits.toSorted());
  expect(waiting.filter((group) => group.length !== 1)).toEqual([]);
});

test("what ends things in the middle of their writes runs on a disk, apart from what does not", () => {
  const onDisk = jobs.filter((job) => job.needsDisk).flatMap((job) => job.files);
  const expected = files.filter((file) => needsDisk.some((place) => file.startsWith(place))).filter(isUsual);
  expect([...new Set(onDisk)].sort()).toEqual(expected);
});

test("quick files share a process, each slow one has its own, and both know their database", () => {
  const made = jobsOf("usual", ["a.test.ts", "b.test.ts", "packages/server/test/faults/exactly-once.slow.test.ts"]);
  const [slow] = made;
  const usual = { HOLDFAST_TEST_USUAL: "1", ...shortLived };
  expect(made).toEqual([
    {
      database: "sqlite",
      files: ["packages/server/test/faults/exactly-once.slow.test.ts"],
      isAlone: false,
      mostlyWaits: false,
      needsDisk: true,
      seconds: slow?.seconds ?? 0,
      args: ["--timeout=120000", "./packages/server/test/faults/exactly-once.slow.test.ts"],
      environment: { CI: "true", HOLDFAST_TEST_ON: "sqlite", HOLDFAST_TEST_RUNS: "0.1", ...usual },
    },
    {
      database: "sqlite",
      files: ["a.test.ts", "b.test.ts"],
      isAlone: false,
      mostlyWaits: false,
      needsDisk: false,
      seconds: 0.4,
      args: ["--timeout=120000", "./a.test.ts", "./b.test.ts"],
      environment: { CI: "true", HOLDFAST_TEST_ON: "sqlite", HOLDFAST_TEST_RUNS: "0.1", ...usual },
    },
    {
      database: "postgres",
      files: ["packages/server/test/faults/exactly-once.slow.test.ts"],
      isAlone: false,
      mostlyWaits: false,
      needsDisk: true,
      seconds: expect.any(Number),
      args: ["--timeout=120000", "./packages/server/test/faults/exactly-once.slow.test.ts"],
      environment: { CI: "true", HOLDFAST_TEST_ON: "postgres", HOLDFAST_TEST_RUNS: "0.1", ...usual },
    },
  ]);
  expect(slow?.seconds).toBeGreaterThan(3);
});

test("the quick part leaves out slow suites and tries less at random", () => {
  const quick = jobsOf("quick", files);
  const on = (database: TestedDatabase) =>
    quick
      .filter((job) => job.database === database)
      .flatMap((job) => job.files)
      .sort();
  expect(on("sqlite")).toEqual(files.filter((file) => !file.endsWith(".slow.test.ts")));
  expect(on("postgres")).toEqual(
    ["changes", "reports"].map((name) => `packages/server/test/conformance/${name}.test.ts`),
  );
  expect(new Set(quick.map(({ environment }) => environment.HOLDFAST_TEST_RUNS))).toEqual(new Set(["0.1"]));
});

test("the long run says so to every test, and gives it time", () => {
  const long = jobsOf("long", files);
  expect(new Set(long.map(({ environment }) => environment.HOLDFAST_TEST_LONG))).toEqual(new Set(["1"]));
  expect(new Set(long.map(({ args }) => args[0]))).toEqual(new Set(["--timeout=600000"]));
});
