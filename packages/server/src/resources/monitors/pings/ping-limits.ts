import { refuse } from "@holdfast/api/conventions/api-error";
import { LRUCache } from "lru-cache";
import { nothingToPing, type PingTarget } from "./ping";

interface Bucket {
  left: number;
  filledAt: number;
}

interface Rate {
  perSecond: number;
  burst: number;
}

/** Rates at which one monitor can be pinged, and one address can miss. */
const rates = { monitor: { perSecond: 1, burst: 30 }, misses: { perSecond: 20 / 60, burst: 20 } } as const;
/** Maximum number of monitors, addresses and URLs that are kept: those that were used last. */
const max = 10_000;

/** Keeps pings from flooding the database, and from trying out which URLs there are. Counts in this process alone. */
export interface PingLimits {
  /** Refuses a ping before anything is looked up. Gives whether it was counted for its monitor: where that was known. */
  admit(target: PingTarget, address: string): boolean;
  /** Notes which monitor a URL leads to, and counts the ping where that was not done. */
  found(target: PingTarget, monitorId: string, isCounted: boolean): void;
  /** The refusal of a ping that reached nothing, which is counted. */
  missed(address: string): Error;
}

/** Makes the limits. The clock gives milliseconds and never steps. */
export function createPingLimits(monotonic: () => number): PingLimits {
  const monitors = new LRUCache<string, Bucket>({ max });
  const addresses = new LRUCache<string, Bucket>({ max });
  const known = new LRUCache<string, string>({ max });

  function bucketOf(buckets: LRUCache<string, Bucket>, name: string, { perSecond, burst }: Rate): Bucket {
    const now = monotonic();
    const bucket = buckets.get(name) ?? { left: burst, filledAt: now };
    bucket.left = Math.min(burst, bucket.left + ((now - bucket.filledAt) / 1000) * perSecond);
    bucket.filledAt = now;
    buckets.set(name, bucket);
    return bucket;
  }

  function takeFor(monitorId: string): void {
    const bucket = bucketOf(monitors, monitorId, rates.monitor);
    if (bucket.left < 1) {
      throw refuse("rateExceeded", "This monitor was pinged too often. It takes one ping a second, and 30 at once.", {
        "Retry-After": retryAfter(bucket, rates.monitor),
      });
    }
    bucket.left -= 1;
  }

  return {
    admit(target, address) {
      const monitorId = known.get(nameOf(target));
      // A known URL works from everywhere: others behind the same address may have a wrong URL.
      if (monitorId !== undefined) {
        takeFor(monitorId);
        return true;
      }
      // A UUID is not found by trying, so a right one counts however many wrong ones come from behind the same address.
      if ("urlHash" in target) return false;
      const bucket = bucketOf(addresses, address, rates.misses);
      if (bucket.left < 1) throw tooManyMisses(bucket);
      return false;
    },
    found(target, monitorId, isCounted) {
      known.set(nameOf(target), monitorId);
      if (!isCounted) takeFor(monitorId);
    },
    missed(address) {
      const bucket = bucketOf(addresses, address, rates.misses);
      if (bucket.left < 1) return tooManyMisses(bucket);
      bucket.left -= 1;
      return nothingToPing();
    },
  };
}

function tooManyMisses(bucket: Bucket) {
  return refuse("rateExceeded", "Too many pings from this address have reached nothing. Correct their URLs.", {
    "Retry-After": retryAfter(bucket, rates.misses),
  });
}

function retryAfter({ left }: Bucket, { perSecond }: Rate): string {
  return String(Math.max(1, Math.ceil((1 - left) / perSecond)));
}

function nameOf(target: PingTarget): string {
  return "urlHash" in target ? target.urlHash : `${target.keyHash} ${target.slug}`;
}
