import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import type { SystemCalls } from "./libc";

/** Processes of the command whose parents have ended: here they are children of the runner. */
export interface Orphans {
  /** True if they are found: elsewhere the system gives them to another process. */
  areAdopted: boolean;
  end(): void;
}

/** Interval at which ended orphans are taken out of the list of processes, in milliseconds. */
const everyMs = 1_000;

/** Children that the runner itself has started: the runtime waits for their ends. */
const own = new Set<number>();

/** True if the runner itself has started this child. */
export function isOwnChild(pid: number): boolean {
  return own.has(pid);
}

/** Notes a child that the runner itself has started. */
export function noteOwnChild(pid: number | undefined): void {
  if (pid !== undefined) own.add(pid);
}

/** Asks a program something beside the run. */
export function askProgram(
  program: string,
  args: readonly string[],
  options: { timeout: number; env?: Record<string, string | undefined> },
  onAnswer: (error: unknown, stdout: string, stderr: string) => void,
): void {
  noteOwnChild(execFile(program, [...args], options, onAnswer).pid);
}

/** Makes this process the parent of every orphan below it, so that a process with a session of its own is found, too. */
export function adoptOrphans(system: SystemCalls | undefined): Orphans {
  // Who was there before us, such as a job of the shell that has become this process, is none of the command's.
  const areAdopted = childrenOfThis()?.length === 0 && system?.adoptOrphans() === true;
  if (!areAdopted) return { areAdopted, end() {} };
  const timer = setInterval(() => {
    for (const pid of childrenOfThis() ?? []) if (!own.has(pid)) system.forgetEnded(pid);
  }, everyMs);
  timer.unref();
  return { areAdopted, end: () => clearInterval(timer) };
}

/** Undefined where the system does not list them. */
function childrenOfThis(): number[] | undefined {
  try {
    return [...readFileSync(`/proc/self/task/${process.pid}/children`, "latin1").matchAll(/\d+/g)].map(Number);
  } catch {
    return undefined;
  }
}
