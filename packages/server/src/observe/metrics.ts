import { addSeries, type GatheredMetrics, type MetricsSnapshot, type RequestSeries } from "./metrics-snapshot";

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5] as const;

/** What the service has done since it started. */
export interface Metrics {
  observe(operation: string, status: number, seconds: number): void;
  /** The figures of this process alone. */
  read(): MetricsSnapshot;
  /**
   * The figures of all processes on the port in the text format of Prometheus; what runs, its version and its processes, only
   * where that is asked for.
   */
  render(options: { namesItself: boolean }): Promise<string>;
}

/** Asks for what the other processes on the same port have done. */
export type GatherMetrics = (own: MetricsSnapshot) => Promise<GatheredMetrics>;

/** What is going on now. */
interface CountedTraffic {
  inFlight(): number;
  pendingBodies(): number;
}

export interface MetricsParts {
  version: string;
  traffic: CountedTraffic;
  /** Left out where one process serves alone. */
  gather?: GatherMetrics | undefined;
}

/** Makes empty metrics. */
export function createMetrics({ version, traffic, gather }: MetricsParts): Metrics {
  const series = new Map<string, RequestSeries>();
  const startedAt = Date.now() / 1000;

  function read(): MetricsSnapshot {
    return {
      pid: process.pid,
      startedAt,
      memory: process.memoryUsage.rss(),
      inFlight: traffic.inFlight(),
      pendingBodies: traffic.pendingBodies(),
      series: [...series.values()],
    };
  }

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
    read,
    async render({ namesItself }) {
      const own = read();
      if (!gather) return renderAll({ processes: [{ label: "", snapshot: own }], ended: [], version, namesItself });
      const { number, others, ended } = await gather(own);
      const processes = [{ number, snapshot: own }, ...others].map(({ number, snapshot }) => ({
        label: `{process="${number}"}`,
        snapshot,
      }));
      return renderAll({ processes, ended, version, namesItself });
    },
  };
}

interface Shown {
  /** The one that answers first, each with the label of what is shown for each of them. */
  processes: readonly { label: string; snapshot: MetricsSnapshot }[];
  ended: readonly RequestSeries[];
  version: string;
  namesItself: boolean;
}

function renderAll({ processes, ended, version, namesItself }: Shown): string {
  const all = addSeries([...processes.flatMap(({ snapshot }) => snapshot.series), ...ended]);
  const sum = (figure: (snapshot: MetricsSnapshot) => number) =>
    processes.reduce((total, { snapshot }) => total + figure(snapshot), 0);
  const info = processes.map(({ snapshot }) => `holdfast_info{version="${version}",pid="${snapshot.pid}"} 1`);
  return [
    ...(namesItself ? ["# HELP holdfast_info What is running.", "# TYPE holdfast_info gauge", ...info] : []),
    "# HELP holdfast_requests_in_flight Requests that are being answered.",
    "# TYPE holdfast_requests_in_flight gauge",
    `holdfast_requests_in_flight ${sum(({ inFlight }) => inFlight)}`,
    "# HELP holdfast_request_bodies_pending Requests whose body has not arrived yet.",
    "# TYPE holdfast_request_bodies_pending gauge",
    `holdfast_request_bodies_pending ${sum(({ pendingBodies }) => pendingBodies)}`,
    "# HELP holdfast_requests_total Requests answered, by operation and status.",
    "# TYPE holdfast_requests_total counter",
    ...all.map((one) => `holdfast_requests_total{${labels(one)}} ${one.count}`),
    "# HELP holdfast_request_duration_seconds How long requests took.",
    "# TYPE holdfast_request_duration_seconds histogram",
    ...all.flatMap(renderHistogram),
    "# HELP process_resident_memory_bytes Resident memory.",
    "# TYPE process_resident_memory_bytes gauge",
    ...processes.map(({ label, snapshot }) => `process_resident_memory_bytes${label} ${snapshot.memory}`),
    "# HELP process_start_time_seconds When the process started.",
    "# TYPE process_start_time_seconds gauge",
    ...processes.map(({ label, snapshot }) => `process_start_time_seconds${label} ${snapshot.startedAt}`),
    "",
  ].join("\n");
}

function renderHistogram(one: RequestSeries): string[] {
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

function labels({ operation, status }: RequestSeries): string {
  return `operation="${operation}",status="${status}"`;
}
