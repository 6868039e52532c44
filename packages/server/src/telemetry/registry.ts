import { AggregatorRegistry, Counter, Histogram, Registry } from "prom-client";
import {
  allMetrics,
  buckets,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricDeclaration,
} from "./metric-declarations";
import type { MetricsSnapshot } from "./metrics-snapshot";

/** Counts what happens. */
export interface Recorder {
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
}

/** The value of a gauge for one combination of its labels. */
export interface GaugeValue {
  name: GaugeName;
  labels: Readonly<Record<string, string>>;
  value: number;
}

export function gauge<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, value: number): GaugeValue {
  return { name, labels, value };
}

/** Makes counters and histograms as they are declared. All whose labels are known begin at 0. */
export function createRegistry(): Recorder & { read(): Promise<MetricsSnapshot> } {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const histograms = new Map<string, Histogram>();
  for (const [name, declared] of allMetrics) {
    const given = { name, help: declared.help, labelNames: Object.keys(declared.labels), registers: [registry] };
    const begun = declared.isSparse ? [] : combinationsOf(declared);
    if (declared.kind === "counter") {
      const counter = new Counter(given);
      for (const labels of begun) counter.inc(labels, 0);
      counters.set(name, counter);
    } else if (declared.kind === "histogram") {
      const histogram = new Histogram({ ...given, buckets: [...buckets] });
      for (const labels of begun) histogram.zero(labels);
      histograms.set(name, histogram);
    }
  }
  return {
    add: (name, labels, amount = 1) => counters.get(name)?.inc({ ...labels }, amount),
    observe: (name, labels, seconds) => histograms.get(name)?.observe({ ...labels }, seconds),
    read: () => snapshotOf(registry),
  };
}

/** Adds up the metrics of several processes. */
export function addUp(snapshots: readonly MetricsSnapshot[]): Promise<MetricsSnapshot> {
  return snapshotOf(AggregatorRegistry.aggregate([...snapshots]));
}

/** Groups the values of gauges by their names. */
export function gaugeFamilies(values: readonly GaugeValue[]): MetricsSnapshot {
  return [...Map.groupBy(values, ({ name }) => name)].map(([name, of]) => ({
    name,
    help: allMetrics.get(name)?.help ?? "",
    type: "gauge",
    aggregator: "sum",
    values: of.map(({ labels, value }) => ({ labels: { ...labels }, value })),
  }));
}

/** Writes metrics in the text format of Prometheus, in the order in which they are declared. */
export async function render(snapshots: readonly MetricsSnapshot[], namesItself: boolean): Promise<string> {
  const registry = AggregatorRegistry.aggregate([...snapshots]);
  const shown = [...allMetrics].filter(
    ([name, declared]) => registry.getSingleMetric(name) && (namesItself || !declared.namesItself),
  );
  const texts = await Promise.all(shown.map(([name]) => registry.getSingleMetricAsString(name)));
  return `${texts.join("\n")}\n`;
}

/** Reads what has values. */
async function snapshotOf(registry: Registry): Promise<MetricsSnapshot> {
  const families = await registry.getMetricsAsJSON();
  return families
    .filter(({ values }) => values.length > 0)
    .map(({ name, help, type, aggregator, values }) => ({ name, help, type: String(type), aggregator, values }));
}

/** All combinations of the labels of a metric that it can have. */
function combinationsOf({ labels, fits = () => true }: MetricDeclaration): Record<string, string>[] {
  let all: Record<string, string>[] = [{}];
  for (const [label, values] of Object.entries(labels)) {
    const list = typeof values === "string" ? [] : values;
    all = all.flatMap((before) => list.map((value) => ({ ...before, [label]: value })));
  }
  return all.filter((combination) => fits(Object.values(combination)));
}
