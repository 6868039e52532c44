import { resolve } from "node:path";
import { commandLines } from "../built-programs";

const workspace = resolve(import.meta.dir, "../../../..");

/** Ending and output of a command. */
export interface EndedCommand {
  exitCode: number;
  output: string;
  errors: string;
}

/** Starts a command of the command line, without the tester's own settings. */
export function startCommand(args: readonly string[]): Bun.Subprocess<"ignore", "pipe", "pipe"> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("HOLDFAST_"));
  return Bun.spawn([process.execPath, commandLines().default, ...args], {
    cwd: workspace,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: Object.fromEntries(inherited),
  });
}

/** Runs a command to its end. */
export async function runCommand(args: readonly string[]): Promise<EndedCommand> {
  return endOf(startCommand(args));
}

/** Waits until a command has ended. */
export async function endOf(child: Bun.Subprocess<"ignore", "pipe", "pipe">): Promise<EndedCommand> {
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, output, errors };
}
