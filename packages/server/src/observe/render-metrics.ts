import { allMetrics, buckets, type MetricDeclaration } from "./metric-declarations";
import { addSeries, type MetricsSnapshot, type Series } from "./metrics-snapshot";

/** What is shown. */
export interface ShownMetrics {
  /** The processes, each with its number where there are several. The one that answers is the first. */
  processes: readonly { number: number | undefined; snapshot: MetricsSnapshot }[];
  /** What processes have done that have ended. */
  ended: readonly Series[];
  /** What is said of the database as a whole. */
  ofDatabase: readonly Series[];
  /** Whether it is said what runs. */
  namesItself: boolean;
}

/** Writes metrics in the text format of Prometheus. A metric that says nothing is left out. */
export function renderMetrics({ processes, ended, ofDatabase, namesItself }: ShownMetrics): string {
  const done = byName(addSeries([...processes.flatMap(({ snapshot }) => snapshot.done), ...ended]));
  const gauges = byName(addSeries(processes.flatMap(({ snapshot }) => snapshot.gauges)));
  const whole = byName(ofDatabase);

  function linesOf(name: string, declared: MetricDeclaration): string[] {
    const names = Object.keys(declared.labels);
    const lines = (series: readonly Series[] = [], more = "") =>
      series.flatMap((one) => linesOfSeries(one, names, more));
    if (declared.kind !== "gauge") return lines(done.get(name)?.toSorted(byLabels));
    if (declared.gaugeOf === "database") return lines(whole.get(name));
    if (declared.gaugeOf === "service") return lines(gauges.get(name));
    return processes.flatMap(({ number, snapshot }) =>
      lines(
        snapshot.gauges.filter((one) => one.name === name),
        number === undefined ? "" : `process="${number}"`,
      ),
    );
  }

  const text = [...allMetrics].flatMap(([name, declared]) => {
    const lines = declared.namesItself && !namesItself ? [] : linesOf(name, declared);
    return lines.length === 0 ? [] : [`# HELP ${name} ${declared.help}`, `# TYPE ${name} ${declared.kind}`, ...lines];
  });
  return `${text.join("\n")}\n`;
}

function byName(all: readonly Series[]): Map<string, Series[]> {
  return Map.groupBy(all, ({ name }) => name);
}

function byLabels(one: Series, other: Series): number {
  return one.labels.join("\n").localeCompare(other.labels.join("\n"));
}

function linesOfSeries(
  { name, labels, value, count, counts }: Series,
  names: readonly string[],
  more: string,
): string[] {
  const pairs = names.map((label, index) => `${label}="${labels[index] ?? ""}"`);
  const line = (suffix: string, figure: number, ...further: string[]) => {
    const all = [...pairs, more, ...further].filter((pair) => pair !== "");
    return `${name}${suffix}${all.length === 0 ? "" : `{${all.join(",")}}`} ${figure}`;
  };
  if (count === undefined || !counts) return [line("", value)];
  let sum = 0;
  return [
    ...buckets.map((limit, index) => {
      sum += counts[index] ?? 0;
      return line("_bucket", sum, `le="${limit}"`);
    }),
    line("_bucket", count, 'le="+Inf"'),
    line("_sum", value),
    line("_count", count),
  ];
}
