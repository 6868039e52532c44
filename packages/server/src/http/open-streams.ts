/** Requirements of a stream besides its source. */
export interface StreamEnds {
  /** Aborted when the client has left. */
  left: AbortSignal;
  /** Called when the source fails; the client sees that the connection breaks off. */
  onFailure: (error: unknown) => void;
}

/** The streams that a listener sends. They are no requests in flight: most of the time there is nothing to do for them. */
export interface OpenStreams {
  /** Passes a source on until it ends, its client leaves or all streams are ended. The source is cancelled then. */
  passOn(source: ReadableStream<Uint8Array>, ends: StreamEnds): ReadableStream<Uint8Array>;
  /** Ends all of them at once, and those that begin later as soon as they do. */
  endAll(): void;
}

/** Makes a set of streams, which is empty. */
export function createOpenStreams(): OpenStreams {
  const open = new Set<() => void>();
  let isEnded = false;

  return {
    passOn(source, { left, onFailure }) {
      const reader = source.getReader();
      let isCancelled = false;
      const end = () => {
        open.delete(end);
        left.removeEventListener("abort", end);
        // The reading that is under way then ends like one at the end of the source.
        reader.cancel().catch(() => {});
      };
      open.add(end);
      left.addEventListener("abort", end);
      if (isEnded || left.aborted) end();
      return new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            try {
              const { done, value } = await reader.read();
              if (!done) return controller.enqueue(value);
              end();
              if (!isCancelled) controller.close();
            } catch (error) {
              end();
              onFailure(error);
              controller.error(error);
            }
          },
          cancel() {
            isCancelled = true;
            end();
          },
        },
        // Requested data is sent at once, so nothing has to be kept ready.
        { highWaterMark: 0 },
      );
    },
    endAll() {
      isEnded = true;
      for (const end of [...open]) end();
    },
  };
}
