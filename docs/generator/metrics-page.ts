import { allMetrics, buckets, type MetricDeclaration } from "@holdfast/server/telemetry/metric-declarations";
import { code, page, table } from "./markdown";

export function metricsPage(): string {
  return page("Metrics", [
    "Metrics that `GET /metrics` shows, in the text format of Prometheus. [How to scrape it, alert on it and see it](../how-to/monitor-holdfast.md). No label has a value that a user has chosen.",
    "Counters and histograms count from the start of the service. With several processes they are added up, and what a process has counted that has ended is kept. They are 0 from the start, but for those that show a series only once there is something to count: requests and the wait for connections. Gauges are of a process (with the label `process` where there are several), of the service (added up over its processes) or of the database (said once, by the process that answers). What is in the database is read at most every five seconds, however often metrics are asked for; while the database is away it is left out.",
    `The buckets of all histograms end at ${buckets.join(", ")} seconds.`,
    table(
      ["Metric", "Kind", "Labels", "Meaning"],
      [...allMetrics].map(([name, declared]) => [code(name), kindOf(declared), labelsOf(declared), declared.help]),
    ),
  ]);
}

function kindOf({ kind, gaugeOf }: MetricDeclaration): string {
  return gaugeOf === undefined ? kind : `${kind} of the ${gaugeOf}`;
}

function labelsOf({ labels }: MetricDeclaration): string {
  return Object.entries(labels)
    .map(([label, values]) => `${code(label)}: ${typeof values === "string" ? values : values.map(code).join(", ")}`)
    .join("; ");
}
