import { createParser, type EventSourceMessage } from "eventsource-parser";

export interface EventStreamOptions {
  /** Timeout for silence on the stream, in milliseconds: the service sends a comment every 15 s. */
  silenceMs: number;
  /** Called with how long to wait before the next connection, in milliseconds, when the service says it. */
  onRetry: (milliseconds: number) => void;
  /** Ends the reading, and closes the connection, as if the answer had ended. */
  signal?: AbortSignal | undefined;
}

/** Reads the events of an answer, until it ends. A stream that is silent for too long throws. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  { silenceMs, onRetry, signal }: EventStreamOptions,
): AsyncGenerator<EventSourceMessage, void, undefined> {
  const reader = body.getReader();
  // The connection is of no use to anything else.
  const close = () => reader.cancel().catch(() => {});
  const decoder = new TextDecoder();
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event), onRetry });
  signal?.addEventListener("abort", close, { once: true });
  try {
    while (!signal?.aborted) {
      const { done, value } = await readWithin(reader, silenceMs);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* events.splice(0);
    }
  } finally {
    signal?.removeEventListener("abort", close);
    await close();
  }
}

/** Methods that are needed of a reader. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function readWithin(reader: Reader, milliseconds: number) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing came for ${milliseconds / 1000} s.`)), milliseconds);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
