import { runChecks } from "./checks/run-checks";
import { runJobs } from "./run-jobs";
import { findTestFiles } from "./test-files";
import { type Extent, jobsOf } from "./test-jobs";
import { meetNeeds } from "./test-needs";
import { addTallies, describeTally } from "./test-report";

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function extentAsked(): Extent {
  if (process.argv.includes("--quick")) return "quick";
  return process.argv.includes("--long") ? "long" : "usual";
}

/** Runs the checks, unless it has to be quick, and the tests; the last line says how many passed and failed. */
async function main(): Promise<number> {
  const extent = extentAsked();
  const unmet = await meetNeeds(tell);
  if (unmet !== undefined) tell(unmet);
  const checks = extent === "quick" ? { passed: 0, failed: 0 } : await runChecks(tell);
  const tests =
    unmet === undefined
      ? await runJobs(jobsOf(extent, await findTestFiles()), tell)
      : { passed: 0, failed: 1, skipped: 0 };
  const total = addTallies([{ ...checks, skipped: 0 }, tests]);
  tell(describeTally(total));
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
