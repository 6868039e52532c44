import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addFlags, type CommandToStart } from "../src/engines/add-flags";
import { endingOf } from "../src/engines/ending";
import type { EndedRun, Ending, Progress, Reader } from "../src/engines/engine";
import { type RecognisedCommand, recogniseCommand } from "../src/engines/recognise";

/** Output and ending of a real engine. */
export interface Recording {
  stdout: Uint8Array;
  stderr: Uint8Array;
  exitCode: number | null;
  signal: string | null;
}

export interface RecordOptions {
  cwd: string;
  environment?: Record<string, string>;
  /** Sends this signal once something is so. */
  signal?: { name: NodeJS.Signals; when: () => boolean };
  /** Who runs it: root reads what others cannot. */
  asRoot?: boolean;
}

const isRoot = process.getuid?.() === 0;
const ordinary = isRoot ? ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] : [];

/** A folder for one test, in which everybody may write. */
export function makeEngineFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "holdfast-engine-"));
  chmodSync(path, 0o777);
  mkdirSync(join(path, "home"));
  chmodSync(join(path, "home"), 0o777);
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** Writes a file that other users can read. Other tests in this process may have set a umask that keeps it from them. */
export function writeForAll(path: string, contents: string | Uint8Array): void {
  writeFileSync(path, contents);
  chmodSync(path, 0o644);
}

/** Files with data that cannot be compressed. */
export function makeFiles(folder: string, files: Record<string, number>): void {
  mkdirSync(folder, { recursive: true });
  chmodSync(folder, 0o777);
  for (const [name, size] of Object.entries(files)) {
    const bytes = new Uint8Array(size);
    for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
    writeForAll(join(folder, name), bytes);
  }
}

/** True if something lies in a folder, as once an engine has begun to write into it. */
export function hasFiles(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).length > 0;
}

/** A file that only root may read. */
export function makeUnreadable(path: string): void {
  writeFileSync(path, "secret\n", { mode: 0 });
}

function environmentOf({ cwd, environment = {} }: RecordOptions): Record<string, string> {
  return { PATH: process.env.PATH ?? "", HOME: join(cwd, "home"), LC_ALL: "C.UTF-8", ...environment };
}

/** Runs a command as an ordinary user and records what it writes. */
export async function record(argv: readonly string[], options: RecordOptions): Promise<Recording> {
  const child = Bun.spawn([...(options.asRoot ? [] : ordinary), ...argv], {
    cwd: options.cwd,
    env: environmentOf(options),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const { signal } = options;
  const timer = setInterval(() => {
    if (!signal?.when()) return;
    clearInterval(timer);
    child.kill(signal.name);
  }, 20);
  const [stdout, stderr] = await Promise.all([child.stdout.bytes(), child.stderr.bytes()]);
  await child.exited;
  clearInterval(timer);
  return {
    stdout,
    stderr,
    exitCode: child.signalCode === null ? child.exitCode : null,
    signal: child.signalCode === null ? null : String(child.signalCode),
  };
}

/** Output of the readers of a recording. */
export interface ReadBack {
  stdout: string;
  stderr: string;
  log: string;
  progress: Progress[];
  reader: Reader;
}

/** Where a recording is cut: a length for each piece in turn. */
export type Cuts = (stream: "stdout" | "stderr") => number;

const inOnePiece: Cuts = () => Number.POSITIVE_INFINITY;

/** Shows a recording to a reader in pieces. */
export function readBack(
  command: RecognisedCommand,
  recording: Recording,
  hasAdditions: boolean,
  cuts: Cuts = inOnePiece,
): ReadBack {
  const reader = command.engine.createReader({ invocation: command.invocation, hasAdditions });
  const progress: Progress[] = [];
  let log = "";
  const through = (stream: "stdout" | "stderr") => {
    const passed: Uint8Array[] = [];
    const take = (reading: ReturnType<Reader["stdout"]["end"]>) => {
      passed.push(reading.passthrough.slice());
      log += reading.log;
      progress.push(...(reading.progress === undefined ? [] : [reading.progress]));
    };
    const bytes = recording[stream];
    for (let from = 0; from < bytes.length; ) {
      const to = Math.min(bytes.length, from + Math.max(1, cuts(stream)));
      take(reader[stream].read(bytes.subarray(from, to)));
      from = to;
    }
    take(reader[stream].end());
    // Latin-1 keeps every byte apart, so that texts are equal only where bytes are.
    return Buffer.concat(passed).toString("latin1");
  };
  return { stdout: through("stdout"), stderr: through("stderr"), log, progress, reader };
}

export function recogniseIn(argv: readonly string[], options: RecordOptions): RecognisedCommand {
  return recogniseCommand({ argv, environment: environmentOf(options), host: "test-host", folder: "/" });
}

/** Adds our flags as `--progress on` does. */
export function withFlags(command: RecognisedCommand, version: readonly number[]): CommandToStart {
  return addFlags(command, { progress: "on", version, stdin: "null", stdout: "pipe" });
}

/** Ending of a run, as it would be reported. */
export function endingOfRun(
  command: RecognisedCommand,
  recording: Recording,
  more: Partial<EndedRun> & { hasAdditions?: boolean } = {},
): Ending {
  const { reader } = readBack(command, recording, more.hasAdditions ?? false);
  return endingOf(command.engine, {
    invocation: command.invocation,
    recognition: command.recognition,
    exitCode: recording.exitCode,
    signal: recording.signal,
    diagnostics: reader.diagnostics,
    stoppedFor: null,
    passedOn: [],
    ...more,
  });
}

/** Runs a command and says how it ended: status, outcome and code. */
export async function endOf(argv: readonly string[], options: RecordOptions): Promise<string> {
  return summary((await endingAfter(argv, options)).ending);
}

export async function endingAfter(
  argv: readonly string[],
  options: RecordOptions,
): Promise<{ ending: Ending; recording: Recording }> {
  const command = recogniseIn(argv, options);
  const recording = await record(argv, options);
  return { recording, ending: endingOfRun(command, recording) };
}

export function summary({ status, outcome, error }: Ending): string {
  return [status, outcome, ...(error === null ? [] : [error.code])].join(" ");
}

export function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
