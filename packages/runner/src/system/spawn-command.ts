import { closeSync } from "node:fs";
import type { SystemCalls } from "./libc";

/** How a command is started. */
export interface SpawnRequest {
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** Which of its streams are read here; the others are our own, which the command gets as they are. */
  reads: { stdout: boolean; stderr: boolean };
  /** Whether it gets a session of its own. */
  ownSession: boolean;
}

/** A command that runs. */
export interface SpawnedCommand {
  pid: number;
  stdout: AsyncIterable<Uint8Array> | undefined;
  stderr: AsyncIterable<Uint8Array> | undefined;
  /** How it ended. */
  ended: Promise<{ exitCode: number | null; signal: string | null }>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a command. Throws what the system says where it cannot be started. */
export function spawnCommand(request: SpawnRequest, system: SystemCalls | undefined): SpawnedCommand {
  const { command, environment, reads, ownSession } = request;
  const stdout = reads.stdout ? openPipe(system) : undefined;
  const stderr = reads.stderr ? openPipe(system) : undefined;
  let onEnd: (exitCode: number | null, signal: string | null) => void = () => {};
  try {
    const child = Bun.spawn([...command], {
      stdin: "inherit",
      stdout: stdout?.given ?? "inherit",
      stderr: stderr?.given ?? "inherit",
      env: { ...environment },
      detached: ownSession,
      onExit: ({ signalCode }, exitCode) => onEnd(exitCode, signalCode === null ? null : String(signalCode)),
    });
    return {
      pid: child.pid,
      stdout: stdout && (stdout.read?.() ?? streamOf(child.stdout)),
      stderr: stderr && (stderr.read?.() ?? streamOf(child.stderr)),
      ended: new Promise((resolve) => {
        onEnd = (exitCode, signal) => resolve({ exitCode: signal === null ? exitCode : null, signal });
      }),
      kill: (signal) => child.kill(signal),
    };
  } finally {
    stdout?.close();
    stderr?.close();
  }
}

interface OpenedPipe {
  given: number | "pipe";
  /** Left out where the runtime makes the pipe: then it also gives the stream. */
  read?: () => AsyncIterable<Uint8Array>;
  /** Closes our copy of the command's end, so that the stream ends with the command. */
  close(): void;
}

/** The runtime's own pipe is a socket, on which `echo > /dev/stderr` fails; so a real one where the system has it. */
function openPipe(system: SystemCalls | undefined): OpenedPipe {
  if (!system) return { given: "pipe", close() {} };
  const { readEnd, writeEnd } = system.makePipe();
  return { given: writeEnd, read: () => streamOf(Bun.file(readEnd).stream()), close: () => closeSync(writeEnd) };
}

async function* streamOf(stream: unknown): AsyncGenerator<Uint8Array, void, undefined> {
  if (stream instanceof ReadableStream) yield* stream;
}
