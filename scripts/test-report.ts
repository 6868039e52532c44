/** How many tests of a run passed and failed, and how many said that they cannot run on this machine. */
export interface Tally {
  passed: number;
  failed: number;
  skipped: number;
}

/** How long a test file took. */
export interface FileTime {
  file: string;
  seconds: number;
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
  const isSound = exitCode === 0 && passed + skipped > 0;
  return { passed, failed: isSound ? failed : Math.max(1, failed), skipped };
}

/** The time of each file of a JUnit report, with what it prepared. */
export function timeFiles(report: string): FileTime[] {
  return [...report.matchAll(/<testsuite name="([^"]*)" file="\1"[^>]*? time="([\d.]+)"/g)].map(
    ([, file = "", seconds]) => ({ file: plain(file), seconds: Number(seconds) }),
  );
}

/** A test that failed, with what it said. */
export interface FailedTest {
  file: string;
  /** With its group. */
  name: string;
  said: string;
}

/** The tests of a JUnit report that failed or were skipped without a reason. */
export function failedTests(report: string): FailedTest[] {
  const cases = report.matchAll(
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*>\s*<(failure|skipped)\b([^>]*?)(?:\/>|>([^<]*)<)/g,
  );
  return [...cases]
    .filter(([, name = "", , , outcome]) => outcome === "failure" || !name.includes(" not run, "))
    .map(([, name = "", group = "", file = "", outcome = "", attributes = "", said = ""]) => ({
      file: plain(file),
      name: plain(`${group === "" ? "" : `${group} > `}${name}`),
      said: plain(said || (/ message="([^"]*)"/.exec(attributes)?.[1] ?? outcome)).trim(),
    }));
}

/** As much of what a failed test said as helps to find the cause. */
const saidLines = 30;

/** The lines that name a failed test and say why. */
export function describeFailure({ file, name, said }: FailedTest): string {
  const lines = said.split("\n").slice(0, saidLines);
  return [`${file}: ${name}`, ...lines.map((line) => `    ${line}`)].join("\n");
}

/** The lines that name the slowest files. */
export function describeSlowest(times: readonly FileTime[], count = 10): string[] {
  const slowest = times.toSorted((a, b) => b.seconds - a.seconds).slice(0, count);
  return slowest.map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`);
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

function plain(escaped: string): string {
  const meant: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return escaped
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => meant[name] ?? whole);
}
