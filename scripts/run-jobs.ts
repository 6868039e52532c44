import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bun, type CommandOptions, runCommand } from "./run-command";
import type { Job } from "./test-jobs";
import { failure, type Result, readReport } from "./test-report";

/** Does all of it in its order, so much at a time. */
export async function runQueue<Result>(all: readonly (() => Promise<Result>)[], workers: number): Promise<Result[]> {
  const queue = [...all];
  const results: Result[] = [];
  const work = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) results.push(await next());
  };
  await Promise.all(Array.from({ length: workers }, work));
  return results;
}

/** Options of `bun test`. */
export interface RunOptions extends CommandOptions {
  environment: Record<string, string>;
  timeout: number;
  tell: (line: string) => void;
}

/** Runs a job, and shows what it printed if something failed. */
export async function runJob({ database, files }: Job, options: RunOptions): Promise<Result> {
  const { environment, timeout, tell, signal, folder } = options;
  const name = `${database}: ${files.length === 1 ? "" : `${files.length} files, the first is `}${files[0]}`;
  if (signal?.aborted) return failure(`${name}: interrupted`);
  const startedAt = performance.now();
  const own = await mkdtemp(join(tmpdir(), "holdfast-report-"));
  const report = Bun.file(join(own, "report.xml"));
  try {
    const args = [`--timeout=${timeout}`, "--reporter=junit", `--reporter-outfile=${report.name}`];
    // With a dot in front it is a file, and not a part of the names of some. The shell keeps both outputs in their order.
    const command = ["sh", "-c", 'exec "$@" 2>&1', "sh", bun, "test", ...args, ...files.map((file) => `./${file}`)];
    // Only with CI does Bun refuse a forgotten test.only, which would leave out all others.
    const given = { CI: "true", HOLDFAST_TEST_ON: database, ...environment };
    const { exitCode, output } = await runCommand(command, given, { signal, folder });
    const result = readReport((await report.exists()) ? await report.text() : "", exitCode, files);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    tell(result.failed.length === 0 ? `ok    ${name} (${seconds} s)` : `\nFAIL  ${name} (${seconds} s)\n${output}`);
    const times = result.times.map((time) => ({ ...time, file: `${database}: ${time.file}` }));
    return { ...result, times, failed: result.failed.map((one) => `${database}: ${one}`) };
  } finally {
    await rm(own, { recursive: true });
  }
}
