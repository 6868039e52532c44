import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropDatabasesOfRun } from "../packages/server/test/test-database";
import { bun, showCommand } from "./run-command";
import type { Pass } from "./test-passes";
import { addTallies, type Tally, tallyTests } from "./test-report";

/** Runs the passes one after the other and counts all of their tests together. Whoever interrupts ends them all. */
export async function runPasses(passes: readonly Pass[], tell: (line: string) => void): Promise<Tally> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const run = crypto.randomUUID().slice(0, 8);
  const tallies: Tally[] = [];
  try {
    for (const pass of passes) {
      tell(pass.name);
      tallies.push(await runPass(pass, run, interruption.signal));
    }
    return addTallies(tallies);
  } finally {
    // A server that is not ours goes on when the tests are over; one that they have started goes with them.
    const server = process.env.HOLDFAST_TEST_DATABASE_URL;
    if (server) await dropDatabasesOfRun(server, run);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

async function runPass({ args, environment }: Pass, run: string, signal: AbortSignal): Promise<Tally> {
  if (signal.aborted) return { passed: 0, failed: 1, skipped: 0 };
  const folder = await mkdtemp(join(tmpdir(), "holdfast-test-"));
  const reportFile = join(folder, "report.xml");
  try {
    const command = [bun, "test", "--reporter=junit", `--reporter-outfile=${reportFile}`, ...args];
    const exitCode = await showCommand(command, { ...environment, HOLDFAST_TEST_RUN: run }, signal);
    const report = Bun.file(reportFile);
    return tallyTests((await report.exists()) ? await report.text() : undefined, exitCode);
  } finally {
    await rm(folder, { recursive: true });
  }
}
