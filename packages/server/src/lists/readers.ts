import { refuse } from "@holdfast/api/conventions/api-error";
import { createFairSlots } from "../access/fair-slots";
import { longWork, quickWork, TakesLong, tooLong, type Work } from "./work";

/**
 * Runs all reads, the long work beside the quick. What turns out to take long is begun again as long work: few at once
 * in all, one at a time for each caller.
 */
export interface Readers {
  read<Result>(asked: ReadRequest, read: (work: Work) => Promise<Result>): Promise<Result>;
}

export interface ReadRequest {
  /** For whom it is: a person or a service, however many tokens they have. */
  caller: string;
  /** The unit of the caller; undefined for the root. All callers of a unit have a fair share of long work together. */
  unitId?: string | undefined;
  signal: AbortSignal;
}

interface Waiting {
  caller: string;
  begin(): void;
}

export interface ReaderLimits {
  /** Number of long reads that run at once. */
  atOnce: number;
  /** Timeout of a read, waiting included, in milliseconds. */
  timeoutMs: number;
  /** True if a caller is above its fair share while others are active. Its reading begins as long work, with pauses. */
  mustYield?: (caller: string) => boolean;
}

/** Work that takes longer than this in milliseconds begins again as long work. */
const maxQuickMs = 40;
const maxWaiting = 200;

export function createReaders({ atOnce, timeoutMs, mustYield = () => false }: ReaderLimits): Readers {
  const slots = createFairSlots(maxWaiting);
  const waiting: Waiting[] = [];
  const running = new Set<string>();

  function beginNext(): void {
    if (running.size >= atOnce) return;
    const index = waiting.findIndex(({ caller }) => !running.has(caller));
    const [next] = index < 0 ? [] : waiting.splice(index, 1);
    next?.begin();
  }

  function waitForSlot({ caller, unitId, signal }: ReadRequest, deadline: number): Promise<void> {
    const leave = slots.take(unitId === undefined ? [] : [unitId]);
    if (!leave) {
      throw refuse("overloaded", "Too many lists that take long are being read. Try again in a moment.", {
        "Retry-After": "5",
      });
    }
    return new Promise((resolve, reject) => {
      const one: Waiting = {
        caller,
        begin() {
          stopWaiting();
          running.add(caller);
          resolve();
        },
      };
      const giveUp = (error: unknown) => {
        stopWaiting();
        waiting.splice(waiting.indexOf(one), 1);
        reject(error);
      };
      const giveUpLeft = () => giveUp(signal.reason);
      const timer = setTimeout(() => giveUp(tooLong()), deadline - performance.now());
      const stopWaiting = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", giveUpLeft);
        leave();
      };
      signal.addEventListener("abort", giveUpLeft, { once: true });
      waiting.push(one);
      beginNext();
    });
  }

  async function readLong<Result>(asked: ReadRequest, read: (work: Work) => Promise<Result>): Promise<Result> {
    asked.signal.throwIfAborted();
    const deadline = performance.now() + timeoutMs;
    await waitForSlot(asked, deadline);
    try {
      return await read(longWork(asked.signal, deadline, () => mustYield(asked.caller)));
    } finally {
      running.delete(asked.caller);
      beginNext();
    }
  }

  return {
    async read(asked, read) {
      try {
        return await read(quickWork(asked.signal, mustYield(asked.caller) ? 0 : maxQuickMs));
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error;
        return readLong(asked, read);
      }
    },
  };
}
