import type { Stamp } from "./database";

/**
 * Keeps what was read for as long as nothing is committed by anyone. The stamp says as of when: that of the snapshot that
 * is being read, or the database's own, taken before reading.
 */
export interface Memory<Value> {
  /**
   * Gives what is kept under a key, or reads it. Whoever asks while it is being read is given that. Not everything that is
   * read may be worth keeping.
   */
  recall(stamp: Stamp, key: string, read: () => Promise<Value>, isKept?: (value: Value) => boolean): Promise<Value>;
  /** Gives what is kept under a key, or undefined. */
  peek(stamp: Stamp, key: string): Value | undefined;
}

/** Makes a memory that holds at most so much, each value weighing one unless it is said how much it and its key weigh. */
export function createMemory<Value>(
  capacity: number,
  weigh: (value: Value, key: string) => number = () => 1,
): Memory<Value> {
  const kept = new Map<string, Value>();
  const underWay = new Map<string, Promise<Value>>();
  let heldStamp: Stamp | undefined;
  let weight = 0;

  function forgetUnless(stamp: Stamp): void {
    if (stamp === heldStamp) return;
    kept.clear();
    underWay.clear();
    weight = 0;
    heldStamp = stamp;
  }

  function keep(key: string, value: Value): void {
    const replaced = kept.get(key);
    weight += weigh(value, key) - (replaced === undefined ? 0 : weigh(replaced, key));
    kept.set(key, value);
    for (const [oldest, dropped] of kept) {
      if (weight <= capacity) break;
      kept.delete(oldest);
      weight -= weigh(dropped, oldest);
    }
  }

  return {
    peek(stamp, key) {
      forgetUnless(stamp);
      return kept.get(key);
    },
    async recall(stamp, key, read, isKept = () => true) {
      forgetUnless(stamp);
      const known = kept.get(key) ?? underWay.get(key);
      if (known !== undefined) return known;
      const reading = read();
      underWay.set(key, reading);
      try {
        const value = await reading;
        if (heldStamp === stamp && isKept(value)) keep(key, value);
        return value;
      } finally {
        if (underWay.get(key) === reading) underWay.delete(key);
      }
    },
  };
}
