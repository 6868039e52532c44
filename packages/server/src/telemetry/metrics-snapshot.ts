import { z } from "zod";

/** The metrics of one process or of several, as prom-client gives and adds them up. */
export const metricsSnapshot = z.array(
  z.object({
    name: z.string(),
    help: z.string(),
    type: z.string(),
    aggregator: z.string(),
    values: z.array(
      z.object({
        value: z.number(),
        labels: z.record(z.string(), z.union([z.string(), z.number()]).optional()),
        /** For a histogram: the name with its suffix. */
        metricName: z.string().optional(),
      }),
    ),
  }),
);

export type MetricsSnapshot = z.infer<typeof metricsSnapshot>;

/** The answer of the supervisor: the sum of the other processes' metrics. */
export const gatheredMetrics = z.object({ gathered: metricsSnapshot });
