/** Heartbeats whose answers are held back until there is something to say. */
export interface HeldReports {
  /** Waits until a task is to be looked at again, the time is over, or the client has left. */
  wait(taskId: string, milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Ends the waiting of those who report on a task. */
  wake(taskId: string): void;
  /** Ends all waiting, now and from now on. */
  close(): void;
  count(): number;
}

const usualMost = 10_000;

/** Makes a place for held reports, which is empty. Beyond so many, none is held. */
export function createHeldReports(most = usualMost): HeldReports {
  const held = new Map<string, Set<() => void>>();
  let count = 0;
  let isClosed = false;

  function wake(taskId: string): void {
    for (const end of [...(held.get(taskId) ?? [])]) end();
  }

  return {
    wake,
    count: () => count,
    wait(taskId, milliseconds, signal) {
      if (isClosed || count >= most || milliseconds <= 0 || signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const ofTask = held.get(taskId) ?? new Set();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          ofTask.delete(end);
          if (ofTask.size === 0) held.delete(taskId);
          count -= 1;
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal.addEventListener("abort", end);
        held.set(taskId, ofTask.add(end));
        count += 1;
      });
    },
    close() {
      isClosed = true;
      for (const taskId of [...held.keys()]) wake(taskId);
    },
  };
}
