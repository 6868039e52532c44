import type { GaugeName, LabelsOf } from "./metric-declarations";
import type { MetricsSnapshot } from "./metrics-snapshot";
import { createRegistry, type GaugeValue, gauge, gaugeFamilies, type Recorder, render } from "./registry";

/** The metrics of this process, and where it is one of several, of all. */
export interface Metrics extends Recorder {
  /** Keeps what a gauge of the database shows from now on. */
  set<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, value: number): void;
  /** Reads the metrics of this process alone. */
  read(): Promise<MetricsSnapshot>;
  /** Renders the metrics of all processes on the port; the version and the processes only if namesItself. */
  render(options: { namesItself: boolean }): Promise<string>;
}

/** The processes that serve on the same port. */
export interface ProcessGroup {
  /** Which of them this is, from 1 on; the one that takes its place has the same. */
  number: number;
  /** Asks for the sum of what the others have done and are doing. */
  collect(own: MetricsSnapshot): Promise<MetricsSnapshot>;
}

export interface MetricsParts {
  version: string;
  /** Reads the gauges of the process. */
  readGauges: () => GaugeValue[];
  /** Reads the gauges of the database as a whole. It never fails: what cannot be read is left out. */
  readDatabase: () => Promise<GaugeValue[]>;
  /** Left out where one process serves alone. */
  group?: ProcessGroup | undefined;
}

/** Makes metrics that have counted nothing yet. */
export function createMetrics({ version, readGauges, readDatabase, group }: MetricsParts): Metrics {
  const { read: readCounted, ...recorder } = createRegistry();
  const startedAt = Date.now() / 1000;
  const kept = new Map<string, GaugeValue>();
  const ofProcess = group ? { process: String(group.number) } : {};

  async function read(): Promise<MetricsSnapshot> {
    const gauges = [
      gauge("holdfast_info", { version, pid: String(process.pid) }, 1),
      gauge("process_resident_memory_bytes", ofProcess, process.memoryUsage.rss()),
      gauge("process_start_time_seconds", ofProcess, startedAt),
      ...readGauges(),
    ];
    return [...(await readCounted()), ...gaugeFamilies(gauges)];
  }

  return {
    ...recorder,
    read,
    set: (name, labels, value) => kept.set(JSON.stringify([name, labels]), gauge(name, labels, value)),
    async render({ namesItself }) {
      const own = await read();
      const [others = [], found] = await Promise.all([group?.collect(own), readDatabase()]);
      return render([own, others, gaugeFamilies([...kept.values(), ...found])], namesItself);
    },
  };
}
