import type { TaskCategory } from "@holdfast/api/resources/task-words";
import type { ErrorCode } from "../error-codes";
import type { Diagnostics } from "./diagnostics";
import type { EngineName } from "./engine-names";
import type { Version } from "./versions";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Call of an engine: what is left of the command after `sudo`, `nice` and the like. */
export interface Invocation {
  /** The base name of the program. */
  program: string;
  /** Arguments after the program. */
  args: readonly string[];
  environment: Environment;
  /** The name of this host. */
  host: string;
  /** The folder that it starts in. */
  folder: string;
}

/** Name and treatment of the task of a run. */
export interface Recognition {
  category: TaskCategory;
  type: string;
  /** The item that it protects. Things on this host have the host in their value. */
  entity: { type: string; value: string };
  /** The recurring piece of work that it is a run of: the same in every run, and without credentials. */
  operation: string;
  /** The engine's own word for what it does: `backup`, `create`. */
  command?: string;
  /** True if stdout carries data, so that it is neither read nor logged. */
  stdoutIsData: boolean;
  /** The signal that makes the engine end in good order. */
  politeSignal: "SIGINT" | "SIGTERM";
}

/** Flags that make an engine say how far it is. */
export interface Addition {
  flags: readonly string[];
  /** Where in `args` they are inserted. */
  at: number;
  environment: Readonly<Record<string, string>>;
  /** True if the reader turns the output back into the bytes that the engine would have written without them. */
  isExact: boolean;
}

/** Circumstances that decide about additions, beside the command itself. */
export interface Circumstances {
  version: Version | undefined;
  stdinIsTerminal: boolean;
}

export interface Progress {
  /** From 0 to 100, a whole number. */
  percentage?: number;
  /** At most 200 characters. */
  message?: string;
}

/** Result of reading a piece of output. */
export interface Reading {
  /** The bytes to write to the same stream. They may be part of the chunk that was read: write them before it is used again. */
  passthrough: Uint8Array;
  /** The text for the log. Secrets are not masked yet. */
  log: string;
  progress: Progress | undefined;
}

/** Reads one stream of a run, in pieces that may begin and end anywhere. */
export interface StreamReader {
  read(chunk: Uint8Array): Reading;
  /** The stream has ended: gives what was held back. */
  end(): Reading;
}

/** Reads the output of a run. */
export interface Reader {
  stdout: StreamReader;
  stderr: StreamReader;
  /** Messages that matter for the ending. */
  diagnostics: Diagnostics;
}

/** Facts about the run of a reader. */
export interface ReaderRequest {
  invocation: Invocation;
  /** True if our flags were added: then they are taken out of the output again. */
  hasAdditions: boolean;
}

/** A run whose command has ended. */
export interface EndedRun {
  invocation: Invocation;
  recognition: Recognition;
  /** 126 and 127 also where the runner itself could not start the command. */
  exitCode: number | null;
  /** The signal that ended the command, such as `SIGKILL`. */
  signal: string | null;
  diagnostics: Diagnostics;
  /** Why the runner stopped the command, if it did. */
  stoppedFor: "abort" | "timeout" | "stall" | null;
  /** Signals from outside that the runner has passed on to the command. */
  passedOn: readonly string[];
}

/** Verdict of an engine on an exit code. */
export interface Verdict {
  code: ErrorCode;
  /** True if the work was done in spite of it. */
  isWarning: boolean;
  /** The engine's line about it; otherwise the first line that spoke of this code, or the last line of an error. */
  line?: string;
}

/** Ending of a run, in the fields of a report. */
export interface Ending {
  status: "completed" | "failed" | "aborted";
  outcome: "success" | "warning" | "error" | "cancelled";
  error: { code: ErrorCode; message: string; remedy: string } | null;
  progressMessage?: string;
}

/** Asks the engine beside the run how far it is. */
export interface Poll {
  everySeconds: number;
  /** Arguments after the program. */
  args(invocation: Invocation, version: Version | undefined): readonly string[];
  read(output: string): Progress | undefined;
}

/** Everything that is known about one engine. */
export interface Engine {
  name: EngineName;
  /** Base names of its programs. */
  programs: readonly string[];
  recognise(invocation: Invocation): Recognition;
  /** Arguments that ask for the version, and the parser of the answer. */
  version?: { args: readonly string[]; parse(output: string): Version | undefined };
  /** Flags to add, or none where the user's own flags speak against it. */
  additions?(invocation: Invocation, circumstances: Circumstances): Addition | undefined;
  createReader(request: ReaderRequest): Reader;
  /** Meaning of an exit code together with the messages of the run. Undefined: 0 is success, every other code a failure. */
  judge(run: EndedRun): Verdict | undefined;
  poll?: Poll;
}
