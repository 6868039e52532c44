import { closeSync } from "node:fs";
import { type Guard, type GuardedPipe, startGuard } from "./guard";
import type { SystemCalls } from "./libc";
import { noteOwnChild } from "./orphans";

/** Command to start. */
export interface SpawnRequest {
  command: readonly string[];
  environment: Readonly<Record<string, string | undefined>>;
  /** Which of its streams are read here; the others are our own, which the command gets as they are. */
  reads: { stdout: boolean; stderr: boolean };
  /** True if it gets a session of its own. */
  ownSession: boolean;
}

/** Output of a command to one of its streams. */
export interface CommandStream {
  bytes: AsyncIterable<Uint8Array>;
  /** True if something is there that was not read yet. */
  hasMore(): boolean;
}

/** A command that runs. */
export interface SpawnedCommand {
  pid: number;
  stdout: CommandStream | undefined;
  stderr: CommandStream | undefined;
  /** Ending of the command. */
  ended: Promise<{ exitCode: number | null; signal: string | null }>;
  kill(signal: NodeJS.Signals): void;
}

/** Starts a command. Throws what the system says where it cannot be started. */
export function spawnCommand(request: SpawnRequest, system: SystemCalls | undefined): SpawnedCommand {
  try {
    return spawnProgram(request, system);
  } catch (error) {
    const [program, ...args] = request.command;
    const path = program === undefined ? undefined : Bun.which(program, { PATH: request.environment.PATH ?? "" });
    if (!(error instanceof Error && "code" in error && error.code === "ENOEXEC") || !path) throw error;
    // A script without a first line that says what runs it: shells, cron and nohup give it to sh.
    return spawnProgram({ ...request, command: ["/bin/sh", path, ...args] }, system);
  }
}

function spawnProgram(request: SpawnRequest, system: SystemCalls | undefined): SpawnedCommand {
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
    noteOwnChild(child.pid);
    const guard = system && startGuard([...guarded(stdout, 1), ...guarded(stderr, 2)], system);
    return {
      pid: child.pid,
      stdout: stdout && (stdout.read?.(guard) ?? streamOf(child.stdout)),
      stderr: stderr && (stderr.read?.(guard) ?? streamOf(child.stderr)),
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
  /** Left out where the runtime makes the pipe. */
  readEnd?: number;
  /** Left out where the runtime makes the pipe: then it also gives the stream. */
  read?: (guard: Guard | undefined) => CommandStream;
  /** Closes our copy of the command's end, so that the stream ends with the command. */
  close(): void;
}

/** The runtime's own pipe is a socket, on which `echo > /dev/stderr` fails; so a real one where the system has it. */
function openPipe(system: SystemCalls | undefined): OpenedPipe {
  if (!system) return { given: "pipe", close() {} };
  const { readEnd, writeEnd } = system.makePipe();
  return {
    given: writeEnd,
    readEnd,
    read(guard) {
      let isOpen = true;
      const hasMore = () => isOpen && system.canRead(readEnd);
      // The runtime reads from a copy and closes only that. The command gets SIGPIPE once all others are closed, too.
      const onEnd = (isReadToEnd: boolean) => {
        isOpen = false;
        if (!isReadToEnd) guard?.end();
        closeSync(readEnd);
      };
      return { bytes: bytesOf(Bun.file(readEnd).stream(), onEnd), hasMore };
    },
    close: () => closeSync(writeEnd),
  };
}

function streamOf(stream: unknown): CommandStream {
  return { bytes: bytesOf(stream, () => {}), hasMore: () => false };
}

async function* bytesOf(
  stream: unknown,
  onEnd: (isReadToEnd: boolean) => void,
): AsyncGenerator<Uint8Array, void, undefined> {
  let isReadToEnd = false;
  try {
    if (stream instanceof ReadableStream) yield* stream;
    isReadToEnd = true;
  } finally {
    onEnd(isReadToEnd);
  }
}

function guarded(pipe: OpenedPipe | undefined, target: 1 | 2): GuardedPipe[] {
  return pipe?.readEnd === undefined ? [] : [{ readEnd: pipe.readEnd, target }];
}
