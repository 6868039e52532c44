import { writeSync } from "node:fs";
import { runCommand } from "./run-command";
import { parseRunOptions, RunUsageError, runHelp } from "./run-options";

const usageError = 125;

/** Runs `holdfast run`: runs the command behind `--`, and gives the exit code to end with. */
export async function run(args: readonly string[], environment: Readonly<Record<string, string | undefined>>) {
  try {
    const options = parseRunOptions(args, environment);
    if (options) return await runCommand(options, environment);
    writeSync(1, `${runHelp}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof RunUsageError)) throw error;
    writeSync(2, `holdfast run: ${error.message}\n`);
    return usageError;
  }
}
