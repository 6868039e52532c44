import type { Progress, Reading, StreamReader } from "../engines/engine";
import type { Masker } from "../masker";
import type { PassOn } from "../system/pass-on";
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
  masker: Masker;
  /** Left out where this stream is not kept as a log. */
  log: LogSink | undefined;
  onProgress: (progress: Progress) => void;
}

/** Takes a stream of the command to ours, and what it says to the report, until it ends. */
export async function relay(stream: AsyncIterable<Uint8Array>, parts: RelayParts): Promise<void> {
  const { reader, passOn, masker, log: sink, onProgress } = parts;

  function keep(text: string): void {
    if (!sink || text === "") return;
    if (sink.budget.takes(text.length)) sink.add(masker.push(text));
    else {
      sink.add(masker.end());
      sink.skip(Buffer.byteLength(text));
    }
  }

  async function take({ passOn: bytes, log, progress }: Reading): Promise<boolean> {
    keep(log);
    if (progress) onProgress(progress);
    return bytes.length === 0 || (await passOn(bytes));
  }

  for await (const chunk of stream) {
    // Where our reader has gone, the command's stream is left, so that the command gets SIGPIPE as it would without us.
    if (!(await take(reader.read(chunk)))) return;
  }
  await take(reader.end());
  sink?.add(masker.end());
}
