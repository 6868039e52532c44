import { LRUCache } from "lru-cache";
import type { Stamp } from "./database";
import { createInterest, type Interest } from "./interest";

/**
 * Keeps what was read for as long as its stamp stays the same: that of everything changes with every commit, that of a
 * domain with those which touch it. The stamp is that of the snapshot that is being read, or the database's own, taken
 * before reading. One cache is always asked with stamps of the same domain.
 */
export interface CommitCache<Value> {
  /**
   * Gives what is kept under a key, or reads it. Those who ask while it is being read share that reading; its signal is
   * aborted when all of them have left.
   */
  getOrLoad(
    stamp: Stamp,
    key: string,
    read: (signal: AbortSignal) => Promise<Value>,
    options?: LoadOptions,
  ): Promise<Value>;
  /** Gives what is kept under a key, or undefined. */
  peek(stamp: Stamp, key: string): Value | undefined;
}

export interface LoadOptions {
  /** Aborted when the one who asks has left. */
  signal?: AbortSignal | undefined;
  /** Only readings of the same lane are shared: one who is quick must not wait for one who takes long. */
  lane?: string;
}

interface Reading<Value> {
  value: Promise<Value>;
  interest: Interest;
}

/** Counts that something was asked for, and whether it was there or was just being read. */
export type CountUse = (result: "hit" | "miss") => void;

/** Makes a memory that holds at most so much, each value weighing one unless it is said how much it and its key weigh. */
export function createCommitCache<Value>(
  capacity: number,
  countUse: CountUse,
  weigh: (value: Value, key: string) => number = () => 1,
): CommitCache<Value> {
  const kept = new LRUCache<string, NonNullable<Value>>({
    maxSize: capacity,
    sizeCalculation: (value, key) => Math.max(1, Math.ceil(weigh(value, key))),
  });
  const underWay = new Map<string, Reading<Value>>();
  let heldStamp: Stamp | undefined;

  function forgetUnless(stamp: Stamp): void {
    if (stamp === heldStamp) return;
    kept.clear();
    underWay.clear();
    heldStamp = stamp;
  }

  function keep(key: string, value: Value): void {
    if (value !== undefined && value !== null) kept.set(key, value);
  }

  return {
    peek(stamp, key) {
      forgetUnless(stamp);
      return kept.peek(key);
    },
    async getOrLoad(stamp, key, read, { signal, lane = "" } = {}) {
      forgetUnless(stamp);
      const known = kept.get(key);
      if (known !== undefined) {
        countUse("hit");
        return known;
      }
      const place = `${lane} ${key}`;
      const shared = underWay.get(place);
      if (shared && !shared.interest.signal.aborted) {
        shared.interest.join(signal);
        countUse("hit");
        return shared.value;
      }
      countUse("miss");
      const interest = createInterest();
      interest.join(signal);
      const reading = { value: read(interest.signal), interest };
      underWay.set(place, reading);
      try {
        const value = await reading.value;
        if (heldStamp === stamp) keep(key, value);
        return value;
      } finally {
        if (underWay.get(place) === reading) underWay.delete(place);
      }
    },
  };
}
