const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

interface Series {
  operation: string;
  status: number;
  count: number;
  seconds: number;
  /** How many took no longer than each of the buckets, not yet added up. */
  counts: number[];
}

/** What the service has done since it started. */
export interface Metrics {
  observe(operation: string, status: number, seconds: number): void;
  /** Everything in the text format of Prometheus; what runs, its version and its process, only where that is asked for. */
  render(options: { namesItself: boolean }): string;
}

/** What is going on now. */
interface CountedTraffic {
  inFlight(): number;
  pendingBodies(): number;
}

/** Makes empty metrics. */
export function createMetrics({ version, traffic }: { version: string; traffic: CountedTraffic }): Metrics {
  const series = new Map<string, Series>();
  const startedAt = Date.now() / 1000;

  return {
    observe(operation, status, seconds) {
      const key = `${operation} ${status}`;
      let one = series.get(key);
      if (!one) {
        one = { operation, status, count: 0, seconds: 0, counts: buckets.map(() => 0) };
        series.set(key, one);
      }
      one.count += 1;
      one.seconds += seconds;
      const bucket = buckets.findIndex((limit) => seconds <= limit);
      if (bucket >= 0) one.counts[bucket] = (one.counts[bucket] ?? 0) + 1;
    },
    render({ namesItself }) {
      const all = [...series.values()].sort((a, b) => a.operation.localeCompare(b.operation) || a.status - b.status);
      return [
        ...(namesItself
          ? [
              "# HELP holdfast_info What is running.",
              "# TYPE holdfast_info gauge",
              `holdfast_info{version="${version}",pid="${process.pid}"} 1`,
            ]
          : []),
        "# HELP holdfast_requests_in_flight Requests that are being answered.",
        "# TYPE holdfast_requests_in_flight gauge",
        `holdfast_requests_in_flight ${traffic.inFlight()}`,
        "# HELP holdfast_request_bodies_pending Requests whose body has not arrived yet.",
        "# TYPE holdfast_request_bodies_pending gauge",
        `holdfast_request_bodies_pending ${traffic.pendingBodies()}`,
        "# HELP holdfast_requests_total Requests answered, by operation and status.",
        "# TYPE holdfast_requests_total counter",
        ...all.map((one) => `holdfast_requests_total{${labels(one)}} ${one.count}`),
        "# HELP holdfast_request_duration_seconds How long requests took.",
        "# TYPE holdfast_request_duration_seconds histogram",
        ...all.flatMap(renderHistogram),
        "# HELP process_resident_memory_bytes Resident memory.",
        "# TYPE process_resident_memory_bytes gauge",
        `process_resident_memory_bytes ${process.memoryUsage.rss()}`,
        "# HELP process_start_time_seconds When the process started.",
        "# TYPE process_start_time_seconds gauge",
        `process_start_time_seconds ${startedAt}`,
        "",
      ].join("\n");
    },
  };
}

function renderHistogram(one: Series): string[] {
  let sum = 0;
  const lines = buckets.map((limit, index) => {
    sum += one.counts[index] ?? 0;
    return `holdfast_request_duration_seconds_bucket{${labels(one)},le="${limit}"} ${sum}`;
  });
  return [
    ...lines,
    `holdfast_request_duration_seconds_bucket{${labels(one)},le="+Inf"} ${one.count}`,
    `holdfast_request_duration_seconds_sum{${labels(one)}} ${one.seconds}`,
    `holdfast_request_duration_seconds_count{${labels(one)}} ${one.count}`,
  ];
}

function labels({ operation, status }: Series): string {
  return `operation="${operation}",status="${status}"`;
}
