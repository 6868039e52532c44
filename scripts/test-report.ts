/** How many tests of a run passed and failed. */
export interface Tally {
  passed: number;
  failed: number;
}

/**
 * Counts the tests of a JUnit report. A skipped test has proven nothing, so it counts as failed; so does a run without
 * any test, and one that ended badly although every test passed.
 */
export function tallyTests(report: string | undefined, exitCode: number): Tally {
  const totals = /<testsuites\b[^>]*>/.exec(report ?? "")?.[0] ?? "";
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
  const failed = number("failures") + number("errors") + number("skipped");
  const passed = number("tests") - failed;
  const isSound = exitCode === 0 && passed > 0;
  return { passed, failed: isSound ? failed : Math.max(1, failed) };
}
