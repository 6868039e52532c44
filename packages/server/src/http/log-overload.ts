import type { Log } from "../telemetry/log";
import { overloaded } from "./admission";

const defaultInterval = 1_000;

/** Makes what is called for each request that admission refuses, and logs once a second how many were, and why. */
export function logOverload(log: Pick<Log, "warn">, every = defaultInterval): (reason: object) => void {
  const counts = { overloaded: 0, aboveShare: 0 };
  function write(): void {
    const refused = { ...counts };
    Object.assign(counts, { overloaded: 0, aboveShare: 0 });
    if (refused.overloaded > 0) {
      log.warn("Requests were refused: more came than can be answered.", { refused: refused.overloaded });
    }
    if (refused.aboveShare > 0) {
      log.warn("Requests of callers above their fair share were refused while the service was busy.", {
        refused: refused.aboveShare,
      });
    }
  }
  return (reason) => {
    if (counts.overloaded + counts.aboveShare === 0) setTimeout(write, every).unref();
    counts[reason === overloaded ? "overloaded" : "aboveShare"] += 1;
  };
}
