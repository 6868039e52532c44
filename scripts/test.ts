import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runChecks } from "./checks/run-checks";
import { bun, showCommand } from "./run-command";
import { meetNeeds } from "./test-needs";
import { type Tally, tallyTests } from "./test-report";

const timeout = 30_000;
const isQuick = process.argv.includes("--quick");
/** Fewer tries of what is tried at random, so that the quick part stays under a minute. */
const quickRuns = { HOLDFAST_TEST_RUNS: "0.2" };

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function runTests(): Promise<Tally> {
  const folder = await mkdtemp(join(tmpdir(), "holdfast-test-"));
  const reportFile = join(folder, "report.xml");
  try {
    const command = [bun, "test", `--timeout=${timeout}`, "--reporter=junit", `--reporter-outfile=${reportFile}`];
    if (isQuick) command.push("--path-ignore-patterns=**/*.slow.test.ts");
    // Only with CI does Bun refuse a forgotten test.only, which would leave out all others.
    const exitCode = await showCommand(command, { CI: "true", ...(isQuick ? quickRuns : {}) });
    const report = Bun.file(reportFile);
    return tallyTests((await report.exists()) ? await report.text() : undefined, exitCode);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Runs the checks, unless it has to be quick, and the tests; the last line says how many passed and failed. */
async function main(): Promise<number> {
  const unmet = await meetNeeds(tell);
  if (unmet !== undefined) tell(unmet);
  const checks = isQuick ? { passed: 0, failed: 0 } : await runChecks(tell);
  const tests = unmet === undefined ? await runTests() : { passed: 0, failed: 1 };
  const failed = checks.failed + tests.failed;
  tell(`${checks.passed + tests.passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

process.exitCode = await main();
