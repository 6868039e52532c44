import { LRUCache } from "lru-cache";

/** How long each caller's work may keep others waiting before it has to go on beside them, in milliseconds. */
export interface QuickTime {
  /** What is left to a caller for the next work. */
  of(caller: string): number;
  /** Takes off what was spent on work that did not get done. */
  spend(caller: string, time: number): void;
}

/** One statement more than this at the most keeps others waiting. */
const longest = 40;
/** What a caller may spend in vain before its work begins beside the others at once. */
const most = 200;
/** How much of it comes back in a millisecond. */
const refill = 0.1;
const maxCallers = 10_000;

/** Without it, a caller who asks for much at once would hold up all others by trying. */
export function createQuickTime(now: () => number = () => performance.now()): QuickTime {
  const spent = new LRUCache<string, { time: number; at: number }>({ max: maxCallers });

  function spentBy(caller: string): number {
    const { time, at } = spent.get(caller) ?? { time: 0, at: 0 };
    return Math.max(0, time - (now() - at) * refill);
  }

  return {
    // All or nothing: with a little time, work only begins that cannot be finished.
    of: (caller) => (most - spentBy(caller) >= longest ? longest : 0),
    spend(caller, time) {
      spent.set(caller, { time: Math.min(most, spentBy(caller) + time), at: now() });
    },
  };
}
