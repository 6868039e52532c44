import type { Progress, Reading, StreamReader } from "../engines/engine";
import type { Masker } from "../masker";
import type { PassOn } from "../system/pass-on";
import type { CommandStream } from "../system/spawn-command";
import type { LogBudget } from "./log-budget";

/** Where the log of a run goes. */
export interface LogSink {
  budget: LogBudget;
  add(text: string): void;
  /** So many bytes are left out. */
  skip(bytes: number): void;
}

/** Where the output of a command is taken to. */
export interface RelayParts {
  reader: StreamReader;
  passOn: PassOn;
  createMasker: () => Masker;
  /** Left out where this stream is not kept as a log. */
  log: LogSink | undefined;
  onProgress: (progress: Progress) => void;
  /** Called for every piece of output. */
  onOutput: () => void;
}

/** A stream of the command that is taken to ours. */
export interface Relay {
  ended: Promise<void>;
  /** How many bytes were read so far. */
  bytesRead(): number;
  /** Whether something waits to be read or to be written. */
  isBusy(): boolean;
}

/** How much of what was left out of the log is looked at again, so that no secret is cut at the edge, in characters. */
const edge = 16_384;

/** Takes a stream of the command to ours, and what it says to the report, until it ends. */
export function startRelay(stream: CommandStream, parts: RelayParts): Relay {
  const { reader, passOn, createMasker, log: sink, onProgress, onOutput } = parts;
  let masker = createMasker();
  let leftOut = "";
  let bytesRead = 0;
  let isWriting = false;

  function keep(text: string): void {
    if (!sink || text === "") return;
    if (!sink.budget.takes(text.length)) {
      // What the masker holds back may be the beginning of a secret, so it is left out with the rest.
      if (leftOut === "") masker = createMasker();
      leftOut = (leftOut + text).slice(-edge);
      sink.skip(Buffer.byteLength(text));
      return;
    }
    if (leftOut !== "") masker.push(leftOut);
    leftOut = "";
    sink.add(masker.push(text));
  }

  async function take({ passOn: bytes, log, progress }: Reading): Promise<boolean> {
    keep(log);
    if (progress) onProgress(progress);
    return bytes.length === 0 || (await passOn(bytes));
  }

  async function readAll(): Promise<void> {
    for await (const chunk of stream.bytes) {
      isWriting = true;
      bytesRead += chunk.length;
      onOutput();
      // Where our reader has gone, the command's stream is left, so that the command gets SIGPIPE as it would without us.
      if (!(await take(reader.read(chunk)))) break;
      isWriting = false;
    }
    isWriting = true;
    await take(reader.end());
    if (leftOut === "") sink?.add(masker.end());
    isWriting = false;
  }

  return { ended: readAll(), bytesRead: () => bytesRead, isBusy: () => isWriting || stream.hasMore() };
}
