import { LRUCache } from "lru-cache";
import { createSharedWait, type SharedWait } from "./common/shared-wait";
import type { DataVersion } from "./database";

/**
 * Keeps what was read under its stamp: that of everything changes with every commit, that of a domain with those which touch it.
 * The stamp is that of the snapshot that is being read, or the database's own, taken before reading. What nobody asks for any more
 * is the first to go.
 */
export interface CommitCache<Value> {
  /**
   * Gives what is kept under a key, or reads it. Those who ask while it is being read share that reading; its signal is
   * aborted when all of them have left.
   */
  getOrLoad(
    dataVersion: DataVersion,
    key: string,
    read: (signal: AbortSignal) => Promise<Value>,
    waiting?: AbortSignal,
  ): Promise<Value>;
  /** Never shares a reading: one that pauses for others must not hold up theirs. */
  getOrLoadAlone(dataVersion: DataVersion, key: string, read: () => Promise<Value>): Promise<Value>;
}

interface Reading<Value> {
  value: Promise<Value>;
  interest: SharedWait;
}

/** Counts that something was asked for, and whether it was there or was just being read. */
export type CountUse = (result: "hit" | "miss") => void;

/** Creates a cache that holds at most so much, each value weighing one unless it is said how much it and its key weigh. */
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

  async function readAndKeep(key: string, read: () => Promise<Value>): Promise<Value> {
    countUse("miss");
    const value = await read();
    if (value !== undefined && value !== null) kept.set(key, value);
    return value;
  }

  function find(key: string): Value | undefined {
    const known = kept.get(key);
    if (known !== undefined) countUse("hit");
    return known;
  }

  return {
    async getOrLoad(dataVersion, name, read, waiting) {
      const key = `${dataVersion} ${name}`;
      const known = find(key);
      if (known !== undefined) return known;
      const shared = underWay.get(key);
      if (shared && !shared.interest.signal.aborted) {
        shared.interest.join(waiting);
        countUse("hit");
        return shared.value;
      }
      const interest = createSharedWait();
      interest.join(waiting);
      const reading = { value: readAndKeep(key, () => read(interest.signal)), interest };
      underWay.set(key, reading);
      try {
        return await reading.value;
      } finally {
        if (underWay.get(key) === reading) underWay.delete(key);
      }
    },
    async getOrLoadAlone(dataVersion, name, read) {
      const key = `${dataVersion} ${name}`;
      return find(key) ?? readAndKeep(key, read);
    },
  };
}
