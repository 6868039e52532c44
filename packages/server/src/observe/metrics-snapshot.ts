import { z } from "zod";

const series = z.object({
  name: z.string(),
  /** The values of the labels, in the order in which they are declared. */
  labels: z.array(z.string()),
  /** What is counted, or how much there is. For a histogram, the sum of what was observed. */
  value: z.number(),
  /** For a histogram: how many were observed, and how many in each of the buckets, not yet added up. */
  count: z.number().optional(),
  counts: z.array(z.number()).optional(),
});

/** What a metric says for one combination of its labels. */
export type Series = z.infer<typeof series>;

/** What one process has done since it started, and what it is doing. */
export const metricsSnapshot = z.object({
  /** Counters and histograms. */
  done: z.array(series),
  gauges: z.array(series),
});

export type MetricsSnapshot = z.infer<typeof metricsSnapshot>;

/** What a process has to add to its own figures, where several serve on one port. */
export const gatheredMetrics = z.object({
  /** Which of the processes this one is, from 1 on; the one that takes its place has the same. */
  number: z.number(),
  others: z.array(z.object({ number: z.number(), snapshot: metricsSnapshot })),
  /** What processes have done that have ended: without it counters would go down. */
  ended: z.array(series),
});

export type GatheredMetrics = z.infer<typeof gatheredMetrics>;

/** Adds up what has the same name and labels. */
export function addSeries(all: readonly Series[]): Series[] {
  const sums = new Map<string, Series>();
  for (const one of all) {
    const key = JSON.stringify([one.name, one.labels]);
    const sum = sums.get(key);
    sums.set(key, sum ? add(sum, one) : one);
  }
  return [...sums.values()];
}

function add(one: Series, other: Series): Series {
  const { counts } = one;
  if (one.count === undefined || !counts) return { ...one, value: one.value + other.value };
  return {
    ...one,
    value: one.value + other.value,
    count: one.count + (other.count ?? 0),
    counts: counts.map((count, index) => count + (other.counts?.[index] ?? 0)),
  };
}
