import { availableParallelism } from "node:os";
import { runChecks } from "./checks/run-checks";
import { prepareRun } from "./prepare-run";
import { runJob, runQueue } from "./run-jobs";
import { type Extent, findTestFiles, type Job, jobsOf } from "./test-jobs";
import { meetNeeds } from "./test-needs";
import { describeRun, failure, type Result } from "./test-report";

/** Three more than there are cores: tests that start processes wait for half of their time. */
const workers = Math.min(availableParallelism(), 4) + 3;

/** Most processes of a run end before compiled code is worth its making: it is compiled later, and never with the last effort. */
const shortLived = {
  BUN_JSC_useFTLJIT: "false",
  BUN_JSC_thresholdForJITAfterWarmUp: "3000",
  BUN_JSC_thresholdForJITSoon: "1000",
  BUN_JSC_thresholdForOptimizeAfterWarmUp: "5000",
  BUN_JSC_thresholdForOptimizeSoon: "3000",
};

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function extentAsked(): Extent {
  if (process.argv.includes("--quick")) return "quick";
  return process.argv.includes("--long") ? "long" : "default";
}

async function check(signal: AbortSignal): Promise<Result> {
  const { passed, failed } = await runChecks(tell, signal);
  return { passed, skipped: 0, failed: failed.map((name) => `check: ${name}`), times: [] };
}

/** Runs the checks, unless it has to be quick, and all tests. An interrupt ends them all. */
async function runAll(extent: Extent): Promise<Result[]> {
  const interruption = new AbortController();
  const { signal } = interruption;
  // npm sends the interrupt of a terminal once more: what was prepared has to be removed all the same.
  process.on("SIGINT", () => interruption.abort()).on("SIGTERM", () => interruption.abort());
  const unmet = await meetNeeds(tell, extent === "long");
  if (unmet !== undefined) return [failure(unmet)];
  const { shared, alone } = jobsOf(extent, await findTestFiles());
  const prepared = await prepareRun(extent !== "quick");
  try {
    const shorter = { HOLDFAST_TEST_RUNS: "0.1", HOLDFAST_TEST_DEFAULT: "1", ...shortLived };
    const environment = { ...prepared.environment, ...(extent === "long" ? { HOLDFAST_TEST_LONG: "1" } : shorter) };
    // For what hangs, not for what is slow.
    const options = { environment, timeout: extent === "long" ? 600_000 : 120_000, tell, signal };
    const inMemory = { ...options, environment: { ...environment, TMPDIR: prepared.folder } };
    // Tests that end processes in the middle of their writes need a disk; elsewhere a flush may cost nothing.
    const needsDisk = ({ files }: Job) => files.some((file) => /\/test\/(faults|machines)\//.test(file));
    const run = (job: Job) => () => runJob(job, needsDisk(job) ? options : inMemory);
    const checks = extent === "quick" ? [] : [() => check(signal)];
    const beside = await runQueue([...checks, ...shared.map(run)], workers);
    return [...beside, ...(await runQueue(alone.map(run), 1))];
  } finally {
    await prepared.remove();
  }
}

const results = await runAll(extentAsked()).catch((error) => [failure(`the run: ${Bun.inspect(error)}`)]);
tell(describeRun(results));
process.exitCode = results.every(({ failed }) => failed.length === 0) ? 0 : 1;
