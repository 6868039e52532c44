import { expect, test } from "bun:test";
import {
  addTallies,
  describeFailure,
  describeSlowest,
  describeTally,
  failedTests,
  tallyTests,
  timeFiles,
} from "./test-report";

const report = (counts: string) =>
  `<?xml version="1.0"?>\n<testsuites name="bun test" ${counts} time="1">\n</testsuites>`;

test("the tests that passed and failed are counted", () => {
  expect(tallyTests(report('tests="7" assertions="90" failures="2" skipped="0"'), 1)).toEqual({
    passed: 5,
    failed: 2,
    skipped: 0,
  });
});

test("a run in which everything passed has no failure", () => {
  expect(tallyTests(report('tests="7" assertions="90" failures="0" skipped="0"'), 0)).toEqual({
    passed: 7,
    failed: 0,
    skipped: 0,
  });
});

test("a skipped test counts as failed", () => {
  expect(tallyTests(report('tests="7" assertions="90" failures="0" skipped="1"'), 0)).toEqual({
    passed: 6,
    failed: 1,
    skipped: 0,
  });
});

test("a run without any test is a failure", () => {
  expect(tallyTests(report('tests="0" assertions="0" failures="0" skipped="0"'), 0)).toEqual({
    passed: 0,
    failed: 1,
    skipped: 0,
  });
});

test("a run that left no report is a failure", () => {
  expect(tallyTests(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a run that ended badly is a failure even where every test passed", () => {
  expect(tallyTests(report('tests="7" assertions="90" failures="0" skipped="0"'), 139)).toEqual({
    passed: 7,
    failed: 1,
    skipped: 0,
  });
});

test("a test that says why it was not run is counted apart, and shown at the end", () => {
  const cases = [
    '<testcase name="R3 not run, no loop devices: power cuts" time="0">\n      <skipped />\n    </testcase>',
    '<testcase name="something else" time="0">\n      <skipped />\n    </testcase>',
  ];
  const whole = report('tests="7" failures="0" skipped="2"').replace("</testsuites>", `${cases.join("")}</testsuites>`);
  const tally = tallyTests(whole, 0);
  expect(tally).toEqual({ passed: 5, failed: 1, skipped: 1 });
  expect(describeTally(tally)).toBe("5 passed, 1 failed, 1 skipped");
  expect(describeTally(addTallies([tally, { passed: 1, failed: 0, skipped: 0 }]))).toBe(
    "6 passed, 1 failed, 1 skipped",
  );
  expect(describeTally({ passed: 7, failed: 0, skipped: 0 })).toBe("7 passed, 0 failed");
});

const files = `<testsuites name="bun test" tests="4" failures="1" skipped="2" time="3.2">
  <testsuite name="a.test.ts" file="a.test.ts" tests="3" assertions="1" failures="1" skipped="2" time="2.25" hostname="h">
    <testcase name="is &lt;well&gt;" classname="" time="0.2" file="a.test.ts" line="4" assertions="0" />
    <testsuite name="d" file="a.test.ts" line="5" tests="2" failures="1" skipped="1" time="9" hostname="h">
      <testcase name="says &quot;no&quot;" classname="d" time="0.1" file="a.test.ts" line="5" assertions="1">
        <failure type="AssertionError" message="expect">expect&#10;at a.test.ts:5&#10;</failure>
      </testcase>
      <testcase name="takes too long" classname="d" time="0.1" file="a.test.ts" line="5" assertions="1">
        <failure type="TimeoutError" message="test timed out" />
      </testcase>
      <testcase name="is left out" classname="d" time="0" file="a.test.ts" line="6" assertions="0">
        <skipped />
      </testcase>
      <testcase name="R3 not run, no loop devices: cuts" classname="d" time="0" file="a.test.ts" line="7" assertions="0">
        <skipped />
      </testcase>
    </testsuite>
  </testsuite>
  <testsuite name="b.test.ts" file="b.test.ts" tests="1" assertions="0" failures="0" skipped="0" time="0.95" hostname="h">
    <testcase name="b" classname="" time="0.9" file="b.test.ts" line="2" assertions="0" />
  </testsuite>
</testsuites>`;

test("the time of each file is read from the report, and the slowest are named", () => {
  const times = timeFiles(files);
  expect(times).toEqual([
    { file: "a.test.ts", seconds: 2.25 },
    { file: "b.test.ts", seconds: 0.95 },
  ]);
  expect(describeSlowest([...times, { file: "c.test.ts", seconds: 12 }], 2)).toEqual([
    "   12.0 s  c.test.ts",
    "    2.3 s  a.test.ts",
  ]);
});

test("what failed is named with its file and what it said, and so is what was skipped without a reason", () => {
  expect(failedTests(files).map(describeFailure)).toEqual([
    'a.test.ts: d > says "no"\n    expect\n    at a.test.ts:5',
    "a.test.ts: d > takes too long\n    test timed out",
    "a.test.ts: d > is left out\n    skipped",
  ]);
});

test("only the first lines are shown of a test that said much", () => {
  const said = Array.from({ length: 100 }, (_, line) => `line ${line}`).join("\n");
  expect(describeFailure({ file: "a.test.ts", name: "a", said }).split("\n").length).toBe(31);
});
