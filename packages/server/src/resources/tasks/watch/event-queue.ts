/** Events that wait to be sent over one stream. */
export interface EventQueue {
  stream: ReadableStream<Uint8Array>;
  /** Adds events, or what other streams send as well. */
  push(events: string | Uint8Array): void;
  /** Sends what waits, and ends the stream. */
  end(): void;
  /** Ends the stream of a client that takes nothing, without what waits: it can come back for that. */
  cut(): void;
  /** True if the client takes too little. */
  isStuck(): boolean;
}

export interface QueueOptions {
  /** Limits of waiting bytes: their number, and for how long none of them may be taken, in milliseconds. */
  maxWaitingBytes: number;
  maxWaitMs: number;
  /** Called when the stream has ended, from whichever side. */
  onEnd: () => void;
}

/** Makes a queue, which is empty. */
export function createEventQueue({ maxWaitingBytes, maxWaitMs, onEnd }: QueueOptions): EventQueue {
  const encoder = new TextEncoder();
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  let stuckSince: number | undefined;
  let isEnded = false;
  let wake: (() => void) | undefined;

  function end(): void {
    if (isEnded) return;
    isEnded = true;
    wake?.();
    onEnd();
  }

  const stream = new ReadableStream<Uint8Array>(
    {
      // It is asked for more only once the client has taken what it was given before.
      async pull(controller) {
        stuckSince = undefined;
        if (waiting.length === 0 && !isEnded) await new Promise<void>((resolve) => (wake = resolve));
        wake = undefined;
        for (const chunk of waiting) controller.enqueue(chunk);
        waiting = [];
        bytes = 0;
        if (isEnded) controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );

  return {
    stream,
    push(events) {
      if (isEnded) return;
      const chunk = typeof events === "string" ? encoder.encode(events) : events;
      waiting.push(chunk);
      bytes += chunk.length;
      if (wake) wake();
      else stuckSince ??= performance.now();
    },
    end,
    cut() {
      waiting = [];
      end();
    },
    isStuck: () => bytes > maxWaitingBytes || (stuckSince !== undefined && performance.now() - stuckSince > maxWaitMs),
  };
}
