/** How many tests of a run passed and failed, and how many said that they cannot run on this machine. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts the tests of a JUnit report. A skipped test has proven nothing, so it counts as failed, unless its name says why
 * it was not run; so does a run without any test, and one that ended badly although every test passed.
 */
export function tallyTests(report: string | undefined, exitCode: number): Tally {
  const totals = /<testsuites\b[^>]*>/.exec(report ?? "")?.[0] ?? "";
  const number = (name: string) => Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals)?.[1] ?? 0);
  const skipped = [...(report ?? "").matchAll(/<testcase\b[^>]*\bname="[^"]* not run, [^"]*"[^>]*>\s*<skipped\b/g)]
    .length;
  const failed = number("failures") + number("errors") + number("skipped") - skipped;
  const passed = number("tests") - failed - skipped;
  const isSound = exitCode === 0 && passed > 0;
  return { passed, failed: isSound ? failed : Math.max(1, failed), skipped };
}

/** Adds up what several runs have counted. */
export function addTallies(tallies: readonly Tally[]): Tally {
  const sum = (count: (tally: Tally) => number) => tallies.reduce((total, tally) => total + count(tally), 0);
  return {
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
    skipped: sum(({ skipped }) => skipped),
  };
}

/** The line that a run of the tests ends with. */
export function describeTally({ passed, failed, skipped }: Tally): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}
