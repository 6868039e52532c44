import { expect, test } from "bun:test";
import { addTallies, describeTally, tallyTests } from "./test-report";

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
