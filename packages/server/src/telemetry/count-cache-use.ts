import type { LabelsOf } from "./metric-declarations";
import type { Recorder } from "./registry";

type CacheLabels = LabelsOf<"holdfast_cache_requests_total">;

/** Makes what counts the uses of one of the caches. */
export function countCacheUse(metrics: Recorder, cache: CacheLabels["cache"]): (result: CacheLabels["result"]) => void {
  return (result) => metrics.add("holdfast_cache_requests_total", { cache, result });
}
