import { z } from "zod";

const requestSeries = z.object({
  operation: z.string(),
  status: z.number(),
  count: z.number(),
  seconds: z.number(),
  /** How many took no longer than each of the buckets, not yet added up. */
  counts: z.array(z.number()),
});

/** The requests of one operation that were answered with one status. */
export type RequestSeries = z.infer<typeof requestSeries>;

/** What one process has done since it started, and what it is doing. */
export const metricsSnapshot = z.object({
  pid: z.number(),
  startedAt: z.number(),
  memory: z.number(),
  inFlight: z.number(),
  pendingBodies: z.number(),
  series: z.array(requestSeries),
});

export type MetricsSnapshot = z.infer<typeof metricsSnapshot>;

/** What a process has to add to its own figures, where several serve on one port. */
export const gatheredMetrics = z.object({
  /** Which of the processes this one is, from 1 on; the one that takes its place has the same. */
  number: z.number(),
  others: z.array(z.object({ number: z.number(), snapshot: metricsSnapshot })),
  /** The requests of processes that have ended: without them counters would go down. */
  ended: z.array(requestSeries),
});

export type GatheredMetrics = z.infer<typeof gatheredMetrics>;

/** Adds up what is about the same operation and status, in the order in which it is shown. */
export function addSeries(all: readonly RequestSeries[]): RequestSeries[] {
  const sums = new Map<string, RequestSeries>();
  for (const one of all) {
    const key = `${one.operation} ${one.status}`;
    const sum = sums.get(key);
    sums.set(
      key,
      sum
        ? {
            ...sum,
            count: sum.count + one.count,
            seconds: sum.seconds + one.seconds,
            counts: sum.counts.map((count, index) => count + (one.counts[index] ?? 0)),
          }
        : one,
    );
  }
  return [...sums.values()].sort((a, b) => a.operation.localeCompare(b.operation) || a.status - b.status);
}
