import { runChecks } from "./checks/run-checks";
import { runPasses } from "./run-passes";
import { meetNeeds } from "./test-needs";
import { type Extent, passesOf } from "./test-passes";
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
  // Where nobody waits for it, what measures time has the machine to itself.
  const isAtOnce = process.env.CI === undefined;
  const tests =
    unmet === undefined ? await runPasses(passesOf(extent), { isAtOnce, tell }) : { passed: 0, failed: 1, skipped: 0 };
  const total = addTallies([{ ...checks, skipped: 0 }, tests]);
  tell(describeTally(total));
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main();
