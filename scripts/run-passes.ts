import { closeSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropDatabasesOfRun } from "../packages/server/test/test-database";
import { bun, showCommand } from "./run-command";
import type { Pass } from "./test-passes";
import { addTallies, type Tally, tallyTests } from "./test-report";

/**
 * Runs the passes and counts all of their tests together: those that are shown one after the other, and those that mostly
 * wait for processes, whose output is shown when they have ended, beside them or after them. Whoever interrupts ends them
 * all.
 */
export async function runPasses(
  passes: readonly Pass[],
  { isAtOnce, tell }: { isAtOnce: boolean; tell: (line: string) => void },
): Promise<Tally> {
  const interruption = new AbortController();
  const interrupt = () => interruption.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  const run = crypto.randomUUID().slice(0, 8);
  const runLane = async (isShown: boolean) => {
    const tallies: Tally[] = [];
    for (const pass of passes.filter((one) => one.isShown === isShown)) {
      tallies.push(await runPass(pass, run, interruption.signal, tell));
    }
    return addTallies(tallies);
  };
  try {
    const shown = runLane(true);
    if (!isAtOnce) await shown;
    return addTallies(await Promise.all([shown, runLane(false)]));
  } finally {
    // A server that is not ours goes on when the tests are over; one that they have started goes with them.
    const server = process.env.HOLDFAST_TEST_DATABASE_URL;
    if (server) await dropDatabasesOfRun(server, run);
    process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  }
}

async function runPass(
  { name, args, environment, isShown }: Pass,
  run: string,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<Tally> {
  if (signal.aborted) return { passed: 0, failed: 1, skipped: 0 };
  const folder = await mkdtemp(join(tmpdir(), "holdfast-test-"));
  const reportFile = join(folder, "report.xml");
  const outputFile = join(folder, "output.txt");
  const output = isShown ? undefined : openSync(outputFile, "w");
  try {
    tell(isShown ? name : `${name} Shown when it has ended.`);
    const command = [bun, "test", "--reporter=junit", `--reporter-outfile=${reportFile}`, ...args];
    const options = output === undefined ? { signal } : { signal, into: output };
    const exitCode = await showCommand(command, { ...environment, HOLDFAST_TEST_RUN: run }, options);
    if (output !== undefined) tell(`${name}\n${await Bun.file(outputFile).text()}`);
    const report = Bun.file(reportFile);
    return tallyTests((await report.exists()) ? await report.text() : undefined, exitCode);
  } finally {
    if (output !== undefined) closeSync(output);
    await rm(folder, { recursive: true });
  }
}
