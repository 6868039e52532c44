import { type CountUse, createCommitCache } from "../database/commit-cache";
import type { DataVersion, DataVersions } from "../database/database";

/** A body as it is sent, and its ETag. */
export interface TaggedBody {
  body: string;
  etag: string;
  /** Set if it changes by the clock, without another stamp. */
  isVolatile: boolean;
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
  domain: keyof DataVersions;
  dataVersion: DataVersion;
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

/** Creates a cache of at most so many bytes. */
export function createBodyCache(maxBytes: number, countUse: CountUse): BodyCache {
  // A volatile body weighs more than there is room for: it is shared while it is rendered, and never kept.
  const weigh = ({ body, isVolatile }: TaggedBody, key: string) =>
    isVolatile ? maxBytes + 1 : Buffer.byteLength(body) + key.length;
  const cache = createCommitCache(maxBytes, countUse, weigh);
  return {
    // As JSON, in which every field is in its place, whatever is written in it.
    getOrRender: (key, render, waiting) => cache.getOrLoad(key.dataVersion, JSON.stringify(key), render, waiting),
  };
}
