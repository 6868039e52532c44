/** A limited number of slots, such as streams, of which no holder may take more than a fair share. */
export interface FairSlots {
  used(): number;
  /** Takes a slot for several holders at once, such as a person and their units. Undefined: one of them has its share, or all are taken. */
  take(holders: readonly string[]): (() => void) | undefined;
}

/** Holders may have this many, however few slots are free. */
const minShare = 10;

/**
 * Makes slots that are all free. A holder may have half of what is free or its own: it never takes all, whatever the others have,
 * and everything that is not used stays within reach.
 */
export function createFairSlots(capacity: number): FairSlots {
  const held = new Map<string, number>();
  let used = 0;
  return {
    used: () => used,
    take(holders) {
      if (used >= capacity) return undefined;
      for (const holder of holders) {
        const own = held.get(holder) ?? 0;
        if (own >= Math.max(minShare, (own + capacity - used) / 2)) return undefined;
      }
      used += 1;
      for (const holder of holders) held.set(holder, (held.get(holder) ?? 0) + 1);
      let isTaken = true;
      return () => {
        if (!isTaken) return;
        isTaken = false;
        used -= 1;
        for (const holder of holders) {
          const left = (held.get(holder) ?? 1) - 1;
          if (left > 0) held.set(holder, left);
          else held.delete(holder);
        }
      };
    },
  };
}
