/** Result of a job. */
export interface Result {
  passed: number;
  /** Number of tests that name a reason why they cannot run on this machine. */
  skipped: number;
  /** Failed tests with their output. */
  failed: string[];
  /** Time that each file took. */
  times: { file: string; seconds: number }[];
}

/** Result of a job that could not run. */
export const failure = (what: string): Result => ({ passed: 0, skipped: 0, failed: [what], times: [] });

/** As much of what a failed test said as helps to find the cause. */
const saidLines = 30;

/**
 * Reads the JUnit report of a run of `bun test`. A skipped test has proven nothing, so it has failed, unless its name says why
 * it was not run; so has a file of which no test ran, and a run that ended badly although every test passed.
 */
export function readReport(report: string, exitCode: number, files: readonly string[]): Result {
  const result: Result = { passed: 0, skipped: 0, failed: [], times: [] };
  const seen = new Set<string>();
  const cases =
    /<testcase name="([^"]*)" classname="([^"]*)"[^>]*? file="([^"]*)"[^>]*?(?:\/>|>\s*<(failure|skipped)\b([^>]*?)(?:\/>|>([^<]*)<))/g;
  for (const [, name = "", group, file = "", outcome, attributes = "", text] of report.matchAll(cases)) {
    seen.add(plain(file));
    if (outcome === undefined) result.passed += 1;
    else if (outcome === "skipped" && name.includes(" not run, ")) result.skipped += 1;
    else {
      const said = plain(text || (/ message="([^"]*)"/.exec(attributes)?.[1] ?? outcome)).trim();
      const lines = [plain(`${file}: ${group ? `${group} > ` : ""}${name}`), ...said.split("\n").slice(0, saidLines)];
      result.failed.push(lines.join("\n    "));
    }
  }
  for (const file of files) if (!seen.has(file)) result.failed.push(`${file}: no test of it ran`);
  if (exitCode !== 0 && result.failed.length === 0) result.failed.push(`${files}: ended with exit code ${exitCode}`);
  const suites = report.matchAll(/<testsuite name="([^"]*)" file="\1"[^>]*? time="([\d.]+)"/g);
  result.times = [...suites].map(([, file = "", seconds]) => ({ file: plain(file), seconds: Number(seconds) }));
  return result;
}

/** The end of what a run prints: what failed, the slowest files, and a line that counts. */
export function describeRun(results: readonly Result[]): string {
  const failed = results.flatMap((result) => result.failed);
  const slowest = results.flatMap(({ times }) => times).toSorted((a, b) => b.seconds - a.seconds);
  const skipped = results.reduce((total, result) => total + result.skipped, 0);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  return [
    ...failed.map((one) => `FAILED  ${one}`),
    "The slowest files:",
    ...slowest.slice(0, 10).map(({ file, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${file}`),
    `${passed} passed, ${failed.length} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`,
  ].join("\n");
}

function plain(escaped: string): string {
  const meant: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return escaped
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => meant[name] ?? whole);
}
