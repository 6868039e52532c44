/** Who still waits for a result that several share. */
export interface SharedWait {
  /** Aborted once all waiting callers have left. */
  signal: AbortSignal;
  /** Adds one who waits until the signal is aborted; without a signal, for as long as it takes. */
  join(waiting: AbortSignal | undefined): void;
}

export function createSharedWait(): SharedWait {
  const controller = new AbortController();
  let count = 0;
  const leave = () => {
    count -= 1;
    if (count === 0) controller.abort();
  };
  return {
    signal: controller.signal,
    join(waiting) {
      count += 1;
      if (waiting?.aborted) leave();
      else waiting?.addEventListener("abort", leave, { once: true });
    },
  };
}
