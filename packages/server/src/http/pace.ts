const slots = 10;
const slotTime = 100;

/** How many requests were answered lately. */
export interface Pace {
  noteAnswer(): void;
  /** Of the last second. */
  perSecond(): number;
}

/** Counts answers in tenths of a second. */
export function createPace(now: () => number = () => performance.now()): Pace {
  const counts = new Uint32Array(slots);
  let last = 0;

  /** Empties what is older than a second, and gives the slot of this moment. */
  function slotNow(): number {
    const slot = Math.floor(now() / slotTime);
    for (let passed = Math.max(last + 1, slot - slots + 1); passed <= slot; passed++) counts[passed % slots] = 0;
    last = slot;
    return slot % slots;
  }

  return {
    noteAnswer() {
      const slot = slotNow();
      counts[slot] = (counts[slot] ?? 0) + 1;
    },
    perSecond() {
      slotNow();
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
