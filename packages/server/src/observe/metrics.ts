import type { GaugeName, LabelsOf } from "./metric-declarations";
import type { GatheredMetrics, MetricsSnapshot, Series } from "./metrics-snapshot";
import { createRegistry, gauge, type Recorder } from "./registry";
import { renderMetrics } from "./render-metrics";

/** What the service has done since it started. */
export interface Metrics extends Recorder {
  /** Keeps what a gauge of the database shows from now on. */
  set<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, value: number): void;
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

export interface MetricsParts {
  version: string;
  /** What the process is doing now. */
  readGauges: () => Series[];
  /** What there is to say of the database as a whole. It never fails: what cannot be read is left out. */
  readDatabase: () => Promise<Series[]>;
  /** Left out where one process serves alone. */
  gather?: GatherMetrics | undefined;
}

/** Makes metrics that have counted nothing yet. */
export function createMetrics({ version, readGauges, readDatabase, gather }: MetricsParts): Metrics {
  const { read: readDone, ...recorder } = createRegistry();
  const startedAt = Date.now() / 1000;
  const kept = new Map<string, Series>();

  function read(): MetricsSnapshot {
    return {
      done: readDone(),
      gauges: [
        gauge("holdfast_info", { version, pid: String(process.pid) }, 1),
        gauge("process_resident_memory_bytes", {}, process.memoryUsage.rss()),
        gauge("process_start_time_seconds", {}, startedAt),
        ...readGauges(),
      ],
    };
  }

  return {
    ...recorder,
    read,
    set(name, labels, value) {
      const series = gauge(name, labels, value);
      kept.set(JSON.stringify([name, series.labels]), series);
    },
    async render({ namesItself }) {
      const own = read();
      const [gathered, found] = await Promise.all([gather?.(own), readDatabase()]);
      const ofDatabase = [...kept.values(), ...found];
      if (!gathered) {
        return renderMetrics({ processes: [{ number: undefined, snapshot: own }], ended: [], ofDatabase, namesItself });
      }
      const { number, others, ended } = gathered;
      return renderMetrics({ processes: [{ number, snapshot: own }, ...others], ended, ofDatabase, namesItself });
    },
  };
}
