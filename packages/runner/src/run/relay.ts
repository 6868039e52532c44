import type { Progress, Reading, StreamReader } from "../engines/engine";
import type { Passthrough } from "../system/passthrough";
import type { CommandStream } from "../system/spawn-command";

/** Destination of the log of a stream. */
export interface LogSink {
  add(text: string): void;
  /** The stream has ended. */
  end(): void;
}

/** Where the output of a command is taken to. */
export interface RelayParts {
  reader: StreamReader;
  passthrough: Passthrough;
  /** Left out where this stream is not kept as a log. */
  log: LogSink | undefined;
  onProgress: (progress: Progress) => void;
  /** Called for every piece of output. */
  onOutput: () => void;
}

/** A stream of the command that is taken to ours. */
export interface Relay {
  ended: Promise<void>;
  /** Number of bytes read so far. */
  bytesRead(): number;
  /** True if something waits to be read or to be written. */
  isBusy(): boolean;
}

/** Takes a stream of the command to ours, and what it says to the report, until it ends. */
export function startRelay(stream: CommandStream, parts: RelayParts): Relay {
  const { reader, passthrough, log: sink, onProgress, onOutput } = parts;
  let bytesRead = 0;
  let isWriting = false;

  async function take({ passthrough: bytes, log, progress }: Reading): Promise<boolean> {
    sink?.add(log);
    if (progress) onProgress(progress);
    return bytes.length === 0 || (await passthrough(bytes));
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
    sink?.end();
    isWriting = false;
  }

  return { ended: readAll(), bytesRead: () => bytesRead, isBusy: () => isWriting || stream.hasMore() };
}
