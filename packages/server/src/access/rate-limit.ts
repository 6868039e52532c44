import { refuse } from "@holdfast/api/conventions/api-error";
import { LRUCache } from "lru-cache";
import type { Caller } from "./caller";

/** Counts a request of a person or a service, and gives the headers that say how many more they may make. */
export type LimitRate = (caller: Pick<Caller, "limitedAs" | "userId">) => Record<string, string>;

interface Bucket {
  left: number;
  filledAt: number;
}

const burstSeconds = 2;
/** Those that are dropped have been full for the longest time. */
const maxBuckets = 10_000;

/**
 * Makes a limit of so many requests a second per person and per service, with bursts of twice as many; 0 is no limit. Not
 * per token: users may create tokens for themselves.
 */
export function createRateLimit(perSecond: number, monotonicClock: () => number): LimitRate {
  if (perSecond === 0) return () => ({});
  const capacity = perSecond * burstSeconds;
  const buckets = new LRUCache<string, Bucket>({ max: maxBuckets });
  const policy = `"token";q=${capacity};w=${burstSeconds}`;

  return ({ limitedAs, userId }) => {
    const now = monotonicClock();
    const bucket = buckets.get(limitedAs) ?? { left: capacity, filledAt: now };
    bucket.left = Math.min(capacity, bucket.left + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    buckets.set(limitedAs, bucket);
    const isAllowed = bucket.left >= 1;
    if (isAllowed) bucket.left -= 1;
    const headers = {
      "RateLimit-Policy": policy,
      RateLimit: `"token";r=${Math.floor(bucket.left)};t=${Math.ceil((capacity - bucket.left) / perSecond)}`,
    };
    if (isAllowed) return headers;
    const who = userId === null ? "This service" : "You, with all your tokens and sessions together,";
    throw refuse("rateExceeded", `${who} may make ${perSecond} requests a second. Wait a second, then try again.`, {
      ...headers,
      "Retry-After": String(Math.ceil((1 - bucket.left) / perSecond)),
    });
  };
}
