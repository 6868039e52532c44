import { createFairSlots } from "../../../access/fair-slots";

/** Heartbeats whose answers are held back until there is something to say. */
export interface LongPolls {
  /**
   * Waits until a task is to be looked at again, the time is over, or the client has left. Does not wait if one of the holders, such
   * as a service or its unit, has a fair share of all that can be held.
   */
  wait(taskId: string, milliseconds: number, signal: AbortSignal, holders?: readonly string[]): Promise<void>;
  /** Ends the waiting of those who report on a task. */
  wake(taskId: string): void;
  /** Ends all waiting, now and from now on. */
  close(): void;
  count(): number;
}

const maxLongPolls = 10_000;

/** Makes a place for held reports, which is empty. Beyond so many, none is held. */
export function createLongPolls(maxHeld = maxLongPolls): LongPolls {
  const held = new Map<string, Set<() => void>>();
  const slots = createFairSlots(maxHeld);
  let isClosed = false;

  function wake(taskId: string): void {
    for (const end of [...(held.get(taskId) ?? [])]) end();
  }

  return {
    wake,
    count: slots.used,
    wait(taskId, milliseconds, signal, holders = []) {
      if (isClosed || milliseconds <= 0 || signal.aborted) return Promise.resolve();
      const leave = slots.take(holders);
      if (!leave) return Promise.resolve();
      return new Promise((resolve) => {
        const ofTask = held.get(taskId) ?? new Set();
        const end = () => {
          clearTimeout(timer);
          signal.removeEventListener("abort", end);
          ofTask.delete(end);
          if (ofTask.size === 0) held.delete(taskId);
          leave();
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        signal.addEventListener("abort", end);
        held.set(taskId, ofTask.add(end));
      });
    },
    close() {
      isClosed = true;
      for (const taskId of [...held.keys()]) wake(taskId);
    },
  };
}
