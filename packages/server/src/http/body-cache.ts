import { LRUCache } from "lru-cache";
import type { CountUse } from "../database/commit-cache";
import type { Stamp, Stamps } from "../database/database";
import { createInterest, type Interest } from "../database/interest";

/** A body as it is sent, and its ETag. */
export interface TaggedBody {
  body: string;
  etag: string;
  /** True if it holds at the stamp of its key; what a replica gives may be older. */
  isCurrent: boolean;
}

/** All that determines a body. Rights are a part of every domain, so the caller and the stamp determine those of the caller. */
export interface BodyKey {
  callerId: string;
  unitId: string;
  resource: string;
  version: number;
  path: string;
  query: string;
  /** The domain that the body is made of, and its stamp, taken before reading. */
  domain: keyof Stamps;
  stamp: Stamp;
}

/** Bodies that were sent, for callers who are known and authorized. What is committed gives another stamp, and so another key. */
export interface BodyCache {
  /**
   * Gives the body of a key, or renders it. Those who ask for it meanwhile share that; its signal is aborted when all of them have
   * left.
   */
  getOrRender(
    key: BodyKey,
    render: (signal: AbortSignal) => Promise<TaggedBody>,
    waiting: AbortSignal,
  ): Promise<TaggedBody>;
}

interface Rendering {
  tagged: Promise<TaggedBody>;
  interest: Interest;
}

/** Creates a cache of at most so many bytes. */
export function createBodyCache(maxBytes: number, countUse: CountUse): BodyCache {
  const sizeCalculation = ({ body }: TaggedBody, key: string) => Buffer.byteLength(body) + key.length;
  const cached = new LRUCache<string, TaggedBody>({ maxSize: maxBytes, sizeCalculation });
  const pending = new Map<string, Rendering>();

  function begin(key: string, render: (signal: AbortSignal) => Promise<TaggedBody>): Rendering {
    const interest = createInterest();
    const finish = async () => {
      try {
        const tagged = await render(interest.signal);
        if (tagged.isCurrent) cached.set(key, tagged);
        return tagged;
      } finally {
        if (pending.get(key)?.interest === interest) pending.delete(key);
      }
    };
    const rendering = { tagged: finish(), interest };
    pending.set(key, rendering);
    return rendering;
  }

  return {
    async getOrRender(fields, render, waiting) {
      // As JSON, in which every field is in its place, whatever is written in it.
      const key = JSON.stringify(fields);
      const known = cached.get(key);
      const shared = pending.get(key);
      const isShared = shared !== undefined && !shared.interest.signal.aborted;
      countUse(known || isShared ? "hit" : "miss");
      if (known) return known;
      const { tagged, interest } = isShared ? shared : begin(key, render);
      interest.join(waiting);
      return tagged;
    },
  };
}
