import {
  allMetrics,
  buckets,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelsOf,
  type MetricDeclaration,
} from "./metric-declarations";
import type { Series } from "./metrics-snapshot";

/** Counts what happens. */
export interface Recorder {
  add<Name extends CounterName>(name: Name, labels: LabelsOf<Name>, amount?: number): void;
  observe<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>, seconds: number): void;
  /** Gives what adds to one counter. What counts at every request finds its counter once. */
  counter<Name extends CounterName>(name: Name, labels: LabelsOf<Name>): (amount?: number) => void;
  /** The same for a histogram. */
  histogram<Name extends HistogramName>(name: Name, labels: LabelsOf<Name>): (seconds: number) => void;
}

/** What was counted in this process. */
export interface Registry extends Recorder {
  read(): Series[];
}

interface Family {
  name: string;
  isHistogram: boolean;
  labels: readonly string[];
  series: Map<string, Series>;
}

/** Makes a registry. All metrics whose labels are known begin at 0. */
export function createRegistry(): Registry {
  const families = new Map<string, Family>();
  for (const [name, declared] of allMetrics) {
    if (declared.kind === "gauge") continue;
    const labels = Object.keys(declared.labels);
    const family = { name, isHistogram: declared.kind === "histogram", labels, series: new Map<string, Series>() };
    families.set(name, family);
    if (!declared.isSparse) for (const values of combinationsOf(declared)) begin(family, values);
  }

  function seriesOf(name: string, labels: Readonly<Record<string, string>>): Series {
    const family = families.get(name);
    if (!family) throw new Error(`The metric ${name} is not declared.`);
    // Many come here often, so that nothing is made for what is known.
    let key = "";
    for (const label of family.labels) key += `${labels[label]}\n`;
    return (
      family.series.get(key) ??
      begin(
        family,
        family.labels.map((label) => labels[label] ?? ""),
      )
    );
  }

  return {
    add(name, labels, amount = 1) {
      seriesOf(name, labels).value += amount;
    },
    observe(name, labels, seconds) {
      observeIn(seriesOf(name, labels), seconds);
    },
    counter(name, labels) {
      let series: Series | undefined;
      return (amount = 1) => {
        series ??= seriesOf(name, labels);
        series.value += amount;
      };
    },
    histogram(name, labels) {
      let series: Series | undefined;
      return (seconds) => {
        series ??= seriesOf(name, labels);
        observeIn(series, seconds);
      };
    },
    read: () => [...families.values()].flatMap(({ series }) => [...series.values()]),
  };
}

function observeIn(series: Series, seconds: number): void {
  series.value += seconds;
  series.count = (series.count ?? 0) + 1;
  const bucket = buckets.findIndex((limit) => seconds <= limit);
  if (bucket >= 0 && series.counts) series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
}

/** What a gauge shows. */
export function gauge<Name extends GaugeName>(name: Name, labels: LabelsOf<Name>, value: number): Series {
  const given: Readonly<Record<string, string>> = labels;
  const order = Object.keys(allMetrics.get(name)?.labels ?? {});
  return { name, labels: order.map((label) => given[label] ?? ""), value };
}

function begin({ name, isHistogram, series }: Family, labels: string[]): Series {
  const begun: Series = {
    name,
    labels,
    value: 0,
    ...(isHistogram ? { count: 0, counts: buckets.map(() => 0) } : {}),
  };
  series.set(labels.map((label) => `${label}\n`).join(""), begun);
  return begun;
}

/** All combinations of the labels of a metric that it can have. */
function combinationsOf({ labels, fits = () => true }: MetricDeclaration): string[][] {
  let all: string[][] = [[]];
  for (const values of Object.values(labels)) {
    const list = typeof values === "string" ? [] : values;
    all = all.flatMap((before) => list.map((value) => [...before, value]));
  }
  return all.filter(fits);
}
