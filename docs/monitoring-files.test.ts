import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { allMetrics } from "@holdfast/server/telemetry/metric-declarations";

const folder = join(import.meta.dir, "how-to");
const read = (file: string) => readFileSync(join(folder, file), "utf8");
const page = read("monitor-holdfast.md");
const rules: unknown = Bun.YAML.parse(read("monitoring/holdfast-alerts.yml"));
const dashboard: unknown = JSON.parse(read("monitoring/grafana-dashboard.json"));
const expressions = [...valuesOf(rules, "expr"), ...valuesOf(dashboard, "expr")].map(String);

/** Every value that stands under a name, however deep. */
function valuesOf(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === name ? [inner] : valuesOf(inner, name)));
}

/** Labels that Prometheus adds to each series, or that a rule makes. */
const addedLabels = ["instance", "job", "le", "process"];
/** Metrics of programs other than Holdfast. */
const foreign = /^(up|pg_dump_success_timestamp_seconds)$/;

/** The metric that a name in a query is of. */
function metricOf(name: string) {
  return allMetrics.get(name) ?? histogramOf(name);
}

function histogramOf(name: string) {
  const declared = allMetrics.get(name.replace(/_(bucket|sum|count)$/, ""));
  return declared?.kind === "histogram" ? declared : undefined;
}

/** Finds wrong names and labels in a query or a text. */
function faultsOf(text: string): string[] {
  const names = Array.from(text.matchAll(/\b(?:holdfast|process)_[a-z0-9_]+\b/g), ([name]) => name);
  const unknown = names.filter((name) => metricOf(name) === undefined);
  const selectors = Array.from(text.matchAll(/\b([a-z][a-z0-9_]*_[a-z0-9_]+|up)\{([^}]*)\}/g));
  const labels = selectors.flatMap(([, name = "", pairs = ""]) =>
    Array.from(pairs.matchAll(/(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)).flatMap(
      ([, label = "", operator = "", value = ""]) =>
        foreign.test(name) || addedLabels.includes(label) ? [] : labelFaults(name, label, operator, value),
    ),
  );
  return [...unknown, ...labels];
}

function labelFaults(name: string, label: string, operator: string, value: string): string[] {
  const values = metricOf(name)?.labels[label];
  const known = typeof values === "object" ? values : [];
  const wanted = operator.endsWith("~") ? value.split("|") : [value];
  const isRight = typeof values === "string" || wanted.every((one) => known.includes(one));
  return isRight ? [] : [`${name}{${label}${operator}"${value}"}`];
}

test("names and labels in the rules, on the dashboard and on the page are declared", () => {
  expect(expressions.length).toBeGreaterThan(40);
  expect([...expressions, page].flatMap(faultsOf)).toEqual([]);
});

test.each([
  ['holdfast_tasks_total{status="finished"}', ['holdfast_tasks_total{status="finished"}']],
  ['holdfast_tasks_total{type="restic"}', ['holdfast_tasks_total{type="restic"}']],
  [
    'rate(holdfast_tasks_totals{status=~"failed|completed"}[5m])',
    ["holdfast_tasks_totals", 'holdfast_tasks_totals{status=~"failed|completed"}'],
  ],
  ["holdfast_streams_open_bucket", ["holdfast_streams_open_bucket"]],
  ['holdfast_change_wait_seconds_bucket{le="1"} + holdfast_tasks_total{status=~"failed|completed"}', []],
])("this test finds what is wrong: %s", (text, faults) => {
  expect(faultsOf(text)).toEqual(faults);
});

test("labels that the rules and the dashboard sum by are declared for what they sum", () => {
  const wrong = expressions.flatMap((expr) =>
    Array.from(expr.matchAll(/by \(([^)]*)\) \((?:\w+\()*((?:holdfast|process)_\w+)/g)).flatMap(
      ([, by = "", name = ""]) =>
        by
          .split(/,\s*/)
          .filter((label) => !addedLabels.includes(label) && metricOf(name)?.labels[label] === undefined)
          .map((label) => `${name} by ${label}`),
    ),
  );
  expect(wrong).toEqual([]);
  expect(expressions.join(" ")).toMatch(/by \(\w+, \w+\) \(/);
});

test("each alert has a name of its own, a severity and what to do, and the page names only those that there are", () => {
  const names = valuesOf(rules, "alert").map(String);
  expect(new Set(names).size).toBe(names.length);
  for (const field of ["expr", "severity", "summary", "action"]) {
    expect([field, valuesOf(rules, field).length]).toEqual([field, names.length]);
  }
  const named = Array.from(page.matchAll(/`(Holdfast[A-Z]\w+)`/g), ([, name = ""]) => name);
  expect(named.filter((name) => !names.includes(name))).toEqual([]);
});

test("each panel of the dashboard has a number of its own", () => {
  const ids = valuesOf(dashboard, "id");
  expect([ids.length > 20, new Set(ids).size]).toEqual([true, ids.length]);
});

test("every metric is on the dashboard or in a rule, but for what only names what runs", () => {
  const used = expressions.join("\n");
  const unused = [...allMetrics.keys()].filter((name) => !used.includes(name));
  expect(unused).toEqual(["holdfast_info"]);
});

test("the page shows prometheus.yml as it is, and that file parses and names the rules", () => {
  const file = read("monitoring/prometheus.yml");
  const [, shown] = page.split("(monitoring/prometheus.yml)")[1]?.split(/^```\w*\n/m) ?? [];
  expect(shown).toBe(file);
  const parsed: unknown = Bun.YAML.parse(file);
  expect(valuesOf(parsed, "rule_files")).toEqual([["holdfast-alerts.yml"]]);
  expect(valuesOf(parsed, "job_name")).toEqual(["holdfast"]);
});
