import { expect, test } from "bun:test";
import type { MetricsSnapshot } from "@holdfast/server/observe/metrics-snapshot";
import { createMetricsPool } from "./metrics-pool";

const lost = { name: "holdfast_leases_lost_total", help: "Lost.", type: "counter", aggregator: "sum" };
const log = { name: "holdfast_report_duration_seconds", help: "Long.", type: "histogram", aggregator: "sum" };
const info = { name: "holdfast_info", help: "Runs.", type: "gauge", aggregator: "sum" };

function done(count: number): MetricsSnapshot {
  const metricName = `${log.name}_bucket`;
  return [
    { ...lost, values: [{ labels: {}, value: count }] },
    { ...log, values: [{ metricName, labels: { le: 0.001, kind: "log" }, value: count / 4 }] },
  ];
}

function running(...pids: number[]) {
  return { ...info, values: pids.map((pid) => ({ labels: { version: "1.0.0", pid: String(pid) }, value: 1 })) };
}

test("a process gets the sum of what the others did, ended ones included, and of what they are doing", async () => {
  const pool = createMetricsPool();
  const [one, two, three] = [pool(1), pool(2), pool(3)];
  one.note([...done(1), running(11)]);
  two.note([...done(2), running(12)]);
  three.note([...done(4), running(13)]);
  expect(await one.gather()).toEqual([...done(6), running(12, 13)]);
  two.end();
  two.note([...done(100), running(12)]);
  three.end();
  expect(await one.gather()).toEqual(done(6));
  pool(2).note([...done(8), running(22)]);
  expect(await one.gather()).toEqual([...done(14), running(22)]);
});
