import { delimiter } from "node:path";

export interface CommandResult {
  exitCode: number;
  /** Standard output. */
  output: string;
  /** Standard output and then standard error. */
  report: string;
}

/** Bun itself, which also runs the tools: the machine's Node may be too old for them. */
export const bun = process.execPath;

/** The environment for everything that is started here. Debian keeps daemons where only root's PATH leads. */
const commandEnvironment = { ...process.env, PATH: [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter) };

/** Runs a command to its end and keeps what it prints. */
export async function runCommand(command: string[], environment: Record<string, string> = {}): Promise<CommandResult> {
  const child = Bun.spawn(command, {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...commandEnvironment, ...environment },
  });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, output, report: `${output}${errors}`.trim() };
}

/** How a command is shown. */
export interface ShowOptions {
  /** Ends the command. */
  signal?: AbortSignal;
  /** Where what it prints is written instead, both kinds in the order in which they come: an open file. */
  into?: number;
}

/** How a command ended that was shown, and how many seconds of a processor it took, with all that it has waited for. */
export interface Shown {
  exitCode: number;
  processorSeconds: number;
}

/** Runs a command and shows what it prints as it comes. */
export async function showCommand(
  command: string[],
  environment: Record<string, string> = {},
  { signal, into }: ShowOptions = {},
): Promise<Shown> {
  const child = Bun.spawn(command, {
    stdin: "ignore",
    stdout: into ?? "inherit",
    stderr: into ?? "inherit",
    env: { ...commandEnvironment, ...environment },
    ...(signal === undefined ? {} : { signal }),
  });
  const exitCode = await child.exited;
  return { exitCode, processorSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000 };
}
