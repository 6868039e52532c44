import type { Stamp } from "./database";

/**
 * Keeps what was read for as long as nothing is committed by anyone. The stamp says as of when: that of the snapshot that
 * is being read, or the database's own, taken before reading.
 */
export interface Memory<Value> {
  /** Gives what is kept under a key, or reads it. Not everything that is read may be worth keeping. */
  recall(stamp: Stamp, key: string, read: () => Promise<Value>, isKept?: (value: Value) => boolean): Promise<Value>;
  /** Gives what is kept under a key, or undefined. */
  peek(stamp: Stamp, key: string): Value | undefined;
}

/** Makes a memory that holds at most so much, each value weighing one unless it is said how much it weighs. */
export function createMemory<Value>(capacity: number, weigh: (value: Value) => number = () => 1): Memory<Value> {
  const kept = new Map<string, Value>();
  let heldStamp: Stamp | undefined;
  let weight = 0;

  function forgetUnless(stamp: Stamp): void {
    if (stamp === heldStamp) return;
    kept.clear();
    weight = 0;
    heldStamp = stamp;
  }

  function keep(key: string, value: Value): void {
    const replaced = kept.get(key);
    weight += weigh(value) - (replaced === undefined ? 0 : weigh(replaced));
    kept.set(key, value);
    for (const [oldest, dropped] of kept) {
      if (weight <= capacity) break;
      kept.delete(oldest);
      weight -= weigh(dropped);
    }
  }

  return {
    peek(stamp, key) {
      forgetUnless(stamp);
      return kept.get(key);
    },
    async recall(stamp, key, read, isKept = () => true) {
      forgetUnless(stamp);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const value = await read();
      if (heldStamp === stamp && isKept(value)) keep(key, value);
      return value;
    },
  };
}
