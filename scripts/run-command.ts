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

/** Where programs are looked for. Debian keeps daemons where only root's PATH leads. */
export const path = [process.env.PATH, "/usr/sbin", "/sbin"].join(delimiter);

export interface CommandOptions {
  /** The folder to run it in. */
  folder?: string | undefined;
  /** Ends the command. */
  signal?: AbortSignal | undefined;
}

/** Runs a command to its end and keeps what it prints. */
export async function runCommand(
  command: string[],
  environment: Record<string, string> = {},
  { folder, signal }: CommandOptions = {},
): Promise<CommandResult> {
  const child = Bun.spawn(command, {
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    env: { ...process.env, PATH: path, ...environment },
    ...(folder === undefined ? {} : { cwd: folder }),
    ...(signal === undefined ? {} : { signal }),
  });
  const [output, errors, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, output, report: `${output}${errors}`.trim() };
}
