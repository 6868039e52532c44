import { allMetrics, type MetricDeclaration } from "../../src/telemetry/metric-declarations";

/** Scraped metrics: the value of each series, by its name and labels as they stand in the text. */
export type Scraped = ReadonlyMap<string, number>;

interface Sample {
  name: string;
  labels: Map<string, string>;
  value: number;
}

const namePattern = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/;
const samplePattern = /^([^ {]+)(?:\{(.*)\})? (\S+)$/;
const pairPattern = /^([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(?:,|$)/;
const valuePattern = /^(?:[+-]?Inf|NaN|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/;

/** Reads the text format of Prometheus, and fails for whatever is not as it has to be, or not declared. */
export function parseMetrics(text: string): Scraped {
  check(text.endsWith("\n"), "The text has to end with a line feed.");
  const lines = text.slice(0, -1).split("\n");
  const scraped = new Map<string, number>();
  const seen = new Set<string>();
  for (let at = 0; at < lines.length; ) {
    const name = /^# HELP (\S+) \S/.exec(lines[at] ?? "")?.[1] ?? fail(`Not the HELP of a metric: ${lines[at]}`);
    const kind =
      /^# TYPE (\S+) (counter|gauge|histogram)$/.exec(lines[at + 1] ?? "") ?? fail(`No TYPE after HELP of ${name}.`);
    check(kind[1] === name && !seen.has(name) && namePattern.test(name), `${name} is named wrongly or twice.`);
    seen.add(name);
    const declared = allMetrics.get(name) ?? fail(`${name} is not declared.`);
    check(
      kind[2] === declared.kind && lines[at] === `# HELP ${name} ${declared.help}`,
      `${name} is declared otherwise.`,
    );
    const end = lines.findIndex((line, index) => index > at + 1 && line.startsWith("#"));
    const samples = lines.slice(at + 2, end < 0 ? undefined : end).map((line) => {
      const sample = parseSample(line);
      const key = keyOf(sample.name, sample.labels);
      check(!scraped.has(key), `${key} is there twice.`);
      scraped.set(key, sample.value);
      return sample;
    });
    check(samples.length > 0, `${name} has no sample.`);
    checkFamily(name, declared, samples);
    at = end < 0 ? lines.length : end;
  }
  return scraped;
}

function parseSample(line: string): Sample {
  const [, name = "", pairs = "", value = ""] = samplePattern.exec(line) ?? fail(`Not a sample: ${line}`);
  check(valuePattern.test(value), `Not a number: ${line}`);
  const labels = new Map<string, string>();
  for (let rest = pairs; rest !== ""; ) {
    const [whole, label = "", text = ""] = pairPattern.exec(rest) ?? fail(`Not a label: ${line}`);
    check(!labels.has(label), `A label is there twice: ${line}`);
    labels.set(label, text);
    rest = rest.slice(whole.length);
  }
  return { name, labels, value: Number(value.replace("Inf", "Infinity")) };
}

function checkFamily(name: string, declared: MetricDeclaration, samples: readonly Sample[]): void {
  for (const { labels } of samples) {
    for (const [label, values] of Object.entries(declared.labels)) {
      const value = labels.get(label) ?? fail(`${name} has to have the label ${label}.`);
      check(typeof values === "string" || values.includes(value), `${name} cannot have ${label}="${value}".`);
    }
    const others = [...labels.keys()].filter((label) => !(label in declared.labels));
    check(
      others.every((label) => (declared.kind === "histogram" ? label === "le" : label === "process")),
      `${name} has labels that are not declared: ${others}`,
    );
  }
  if (declared.kind === "histogram") {
    checkHistogram(name, samples);
    return;
  }
  check(
    samples.every((sample) => sample.name === name),
    `${name} has samples of another name.`,
  );
  if (declared.kind !== "counter") return;
  check(name.endsWith("_total") && samples.every(({ value }) => value >= 0), `${name} is no counter.`);
}

function checkHistogram(name: string, samples: readonly Sample[]): void {
  const groups = Map.groupBy(samples, ({ labels }) => {
    const others = [...labels].filter(([label]) => label !== "le");
    return keyOf("", new Map(others));
  });
  for (const [key, group] of groups) {
    const named = (suffix: string) => group.filter((sample) => sample.name === `${name}${suffix}`);
    const [found, [sum, ...moreSums], [count, ...moreCounts]] = [named("_bucket"), named("_sum"), named("_count")];
    check(found.length + 2 === group.length && !moreSums.length && !moreCounts.length, `${name}${key} has too much.`);
    const limits = found.map(({ labels }) => Number(labels.get("le")?.replace("Inf", "Infinity")));
    check(limits.at(-1) === Number.POSITIVE_INFINITY && isRising(limits, false), `${name}${key} has no sound limits.`);
    const values = found.map(({ value }) => value);
    check(isRising(values, true) && values.at(-1) === count?.value, `${name}${key} does not add up.`);
    check(sum !== undefined && sum.value >= 0, `${name}${key} has no sum.`);
  }
}

function isRising(values: readonly number[], canStay: boolean): boolean {
  return values.every((value, index) => {
    const before = values[index - 1] ?? Number.NEGATIVE_INFINITY;
    return canStay ? value >= before : value > before;
  });
}

function keyOf(name: string, labels: ReadonlyMap<string, string>): string {
  return `${name}${labels.size === 0 ? "" : `{${[...labels].map(([label, value]) => `${label}="${value}"`).join(",")}}`}`;
}

function check(isSo: boolean, complaint: string): void {
  if (!isSo) fail(complaint);
}

function fail(complaint: string): never {
  throw new Error(complaint);
}
