import { closeSync, openSync } from "node:fs";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { findBuiltConsole } from "../packages/console/build/built-files";
import { buildCommandLines } from "../packages/server/test/built-programs";
import { prepareTables } from "../packages/server/test/folder-database";
import { prepareOrigin } from "../packages/server/test/postgres-cluster";
import { dropDatabasesOfRun, quickFolder, startTestServer } from "../packages/server/test/test-database";
import { runChecks } from "./checks/run-checks";
import { bun, showCommand } from "./run-command";
import { type Queued, runQueue } from "./run-queue";
import { type Tried, tryAgain } from "./second-try";
import type { Job } from "./test-jobs";
import {
  addTallies,
  describeFailure,
  describeSlowest,
  type FileTime,
  failedTests,
  type Tally,
  tallyTests,
  timeFiles,
} from "./test-report";

/** Three more than there are cores: tests that start processes wait for half of their time. */
const workers = Math.min(availableParallelism(), 4) + 3;
/** Beside them: what only waits would keep a core idle in the place of what works. */
const waiters = 2;

/** What became of a job. */
interface JobResult extends Tried {
  times: FileTime[];
}

interface RunOptions {
  /** What all jobs get beside their own environment. */
  environment: Record<string, string>;
  /** Where files lie that need no disk. */
  files: string;
  signal: AbortSignal;
  tell: (line: string) => void;
}

/** What a worker does. */
interface Work extends Queued {
  run: (signal: AbortSignal) => Promise<JobResult>;
}

/** The checks as a whole take one worker about as long, beside others. */
const secondsOfChecks = 60;

/** The checks, for a worker to run beside the tests. */
export function checksAsWork(tell: (line: string) => void): Work {
  return {
    isAlone: false,
    mostlyWaits: false,
    seconds: secondsOfChecks,
    run: async (signal) => {
      const { passed, failed } = await runChecks(tell, signal);
      return {
        tally: { passed, failed: failed.length, skipped: 0 },
        times: [],
        failed: failed.map((name) => `check: ${name}`),
      };
    },
  };
}

export interface RunJobsOptions {
  tell: (line: string) => void;
  /** What runs beside the jobs. */
  others?: readonly Work[];
  /** Whether what failed stays failed, without a second try. */
  isStrict?: boolean;
}

/**
 * Runs the jobs and other work, some at a time, and counts all of it together. What a job prints is shown when it has
 * ended; what failed is named again at the end with what it said, and then the slowest files. An interrupt ends them all.
 */
export async function runJobs(
  jobs: readonly Job[],
  { tell, others = [], isStrict = false }: RunJobsOptions,
): Promise<Tally> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const run = crypto.randomUUID().slice(0, 8);
  const given = process.env.HOLDFAST_TEST_DATABASE_URL;
  const files = await makeTemporaryFolder();
  const origin = await prepareOrigin(files);
  const own = given ? undefined : await startTestServer(origin);
  const url = own?.url() ?? given ?? "";
  try {
    const programs = await buildPrograms(jobs, join(files, "programs"));
    const environment = {
      HOLDFAST_TEST_RUN: run,
      HOLDFAST_TEST_DATABASE_URL: url,
      HOLDFAST_TEST_CLUSTER: origin,
      HOLDFAST_TEST_TABLES: await prepareTables(files),
      ...programs.environment,
    };
    const work = jobs.map((job) => ({
      ...job,
      run: (signal: AbortSignal) => runJob(job, { environment, files, signal, tell }),
    }));
    const { signal } = interruption;
    const queued = await runQueue<Work, JobResult>([...others, ...work], {
      workers,
      waiters,
      run: ({ run }) => run(signal),
    });
    const all = [...queued, programs.result];
    const { results, unsteady } = isStrict ? { results: all, unsteady: [] } : await tryAgain(all);
    if (unsteady.length > 0) tell(listed("Failed beside other jobs, and passed alone. Find out why:", unsteady));
    const failed = results.flatMap((result) => result.failed);
    if (failed.length > 0) tell(listed("Failed:", failed));
    tell(["The slowest files:", ...describeSlowest(all.flatMap(({ times }) => times))].join("\n"));
    return addTallies(results.map(({ tally }) => tally));
  } finally {
    await rm(files, { recursive: true, force: true });
    // A server that is not ours goes on when the tests are over.
    if (own) await own.remove();
    else await dropDatabasesOfRun(url, run);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

/** A heading, and what stands under it. */
function listed(heading: string, entries: readonly string[]): string {
  return [heading, ...entries].join("\n").replaceAll("\n", "\n  ");
}

/** Makes a folder that serves as the system's own does: each may make files in it, as a server that is not root has to. */
async function makeTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(quickFolder(), "holdfast-files-"));
  await chmod(folder, 0o1777);
  return folder;
}

/** Builds what tests start often, where slow ones run: the quick ones start too little to be worth it. */
async function buildPrograms(
  jobs: readonly Job[],
  folder: string,
): Promise<{ environment: Record<string, string>; result: JobResult }> {
  const nothing: JobResult = { tally: { passed: 0, failed: 0, skipped: 0 }, times: [], failed: [] };
  if (!jobs.some(({ files }) => files.some((file) => file.endsWith(".slow.test.ts")))) {
    return { environment: {}, result: nothing };
  }
  try {
    await buildCommandLines(folder);
    // Else the first services that start would all build it.
    await findBuiltConsole(() => {});
    return { environment: { HOLDFAST_TEST_PROGRAMS: folder }, result: nothing };
  } catch (error) {
    // The tests then start the sources, and the run has failed all the same.
    const failed = [`The command lines could not be built: ${Bun.inspect(error)}`];
    return { environment: {}, result: { tally: { passed: 0, failed: 1, skipped: 0 }, times: [], failed } };
  }
}

async function runJob(job: Job, { environment, files: temporary, signal, tell }: RunOptions): Promise<JobResult> {
  const { database, files } = job;
  const name = `${database}: ${files.length === 1 ? files[0] : `${files.length} files, ${files[0]} first`}`;
  const nothing: JobResult = {
    tally: { passed: 0, failed: 1, skipped: 0 },
    times: [],
    failed: [`${name}: interrupted`],
  };
  if (signal.aborted) return nothing;
  const folder = await mkdtemp(join(tmpdir(), "holdfast-test-"));
  const reportFile = Bun.file(join(folder, "report.xml"));
  const outputFile = join(folder, "output.txt");
  const output = openSync(outputFile, "w");
  try {
    const command = [bun, "test", "--reporter=junit", `--reporter-outfile=${reportFile.name}`, ...job.args];
    const startedAt = performance.now();
    const { exitCode, processorSeconds } = await showCommand(
      command,
      { ...job.environment, ...environment, ...(job.needsDisk ? {} : { TMPDIR: temporary }) },
      { signal, into: output },
    );
    const took = ((performance.now() - startedAt) / 1000).toFixed(1);
    tell(
      `\n${name} (${took} s, ${processorSeconds.toFixed(1)} s of a processor)\n${await Bun.file(outputFile).text()}`,
    );
    const report = (await reportFile.exists()) ? await reportFile.text() : "";
    const again = (failedFiles: readonly string[]) =>
      runJob(onlyFiles(job, failedFiles), { environment, files: temporary, signal, tell });
    return readResult(job, { name, report, exitCode, again });
  } finally {
    closeSync(output);
    await rm(folder, { recursive: true });
  }
}

/** The job with some of its files. */
function onlyFiles(job: Job, files: readonly string[]): Job {
  const isLeft = (arg: string) => !arg.startsWith("./") || files.includes(arg.slice(2));
  return { ...job, files: [...files], args: job.args.filter(isLeft) };
}

/** A run of `bun test` that has ended. */
interface Ended {
  name: string;
  report: string;
  exitCode: number;
  again: (failedFiles: readonly string[]) => Promise<JobResult>;
}

/** A file that could not even be loaded is not in the report. */
function readResult({ database, files }: Job, { name, report, exitCode, again }: Ended): JobResult {
  const tally = tallyTests(report, exitCode);
  const times = timeFiles(report);
  const unseen = files.filter((file) => !times.some((time) => time.file === file));
  const tests = failedTests(report);
  const failed = [...tests.map(describeFailure), ...unseen.map((file) => `${file}: no test of it ran`)];
  const ended = tally.failed > 0 && failed.length === 0 ? [`${name}: ended with exit code ${exitCode}`] : [];
  return {
    tally: { ...tally, failed: Math.max(tally.failed, failed.length) },
    times: times.map(({ file, seconds }) => ({ file: `${database}: ${file}`, seconds })),
    failed: [...failed.map((one) => `${database}: ${one}`), ...ended],
    again:
      tests.length === failed.length && tests.length > 0
        ? () => again([...new Set(tests.map(({ file }) => file))])
        : undefined,
  };
}
