import type { Progress, StreamReader } from "../engines/engine";
import type { Masker } from "../masker";
import type { PassOn } from "../system/pass-on";

/** Where the output of a command is taken to. */
export interface RelayParts {
  reader: StreamReader;
  passOn: PassOn;
  masker: Masker;
  /** Left out where this stream is not kept as a log. */
  onLog: ((text: string) => void) | undefined;
  onProgress: (progress: Progress) => void;
}

/** Takes a stream of the command to ours, and what it says to the report, until it ends. */
export async function relay(stream: AsyncIterable<Uint8Array>, parts: RelayParts): Promise<void> {
  const { reader, passOn, masker, onLog, onProgress } = parts;
  for await (const chunk of stream) {
    // Where our reader has gone, the command's stream is left, so that the command gets SIGPIPE as it would without us.
    if (!(await take(reader.read(chunk)))) return;
  }
  await take(reader.end());
  onLog?.(masker.end());

  async function take({ passOn: bytes, log, progress }: ReturnType<StreamReader["read"]>): Promise<boolean> {
    if (log !== "") onLog?.(masker.push(log));
    if (progress) onProgress(progress);
    return bytes.length === 0 || (await passOn(bytes));
  }
}
