import { checksAsWork, runJobs } from "./run-jobs";
import { findTestFiles } from "./test-files";
import { type Extent, jobsOf } from "./test-jobs";
import { meetNeeds } from "./test-needs";
import { describeTally } from "./test-report";

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
  const unmet = await meetNeeds(tell, extent === "long");
  if (unmet !== undefined) tell(unmet);
  const others = extent === "quick" ? [] : [checksAsWork(tell)];
  const total =
    unmet === undefined
      ? await runJobs(jobsOf(extent, await findTestFiles()), { tell, others, isStrict: extent === "long" })
      : { passed: 0, failed: 1, skipped: 0 };
  tell(describeTally(total));
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
