import { expect, test } from "bun:test";
import type { MetricsSnapshot } from "@holdfast/server/telemetry/metrics-snapshot";
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
  expect(await one.collect()).toEqual([...done(6), running(12, 13)]);
  two.end();
  two.note([...done(100), running(12)]);
  three.end();
  expect(await one.collect()).toEqual(done(6));
  pool(2).note([...done(8), running(22)]);
  expect(await one.collect()).toEqual([...done(14), running(22)]);
});

test("whoever asks gets what the others have done by then, and waits only so long for one that does not answer", async () => {
  const pool = createMetricsPool(50);
  const [one, two, three, four] = [pool(1), pool(2), pool(3), pool(4)];
  const asked = { one: 0, two: 0, three: 0 };
  one.begin(() => asked.one++);
  two.begin(() => {
    asked.two++;
    setTimeout(() => two.note(done(2)), 5);
  });
  three.begin(() => asked.three++);
  three.note(done(4));
  four.note(done(8));
  expect(await one.collect()).toEqual(done(14));
  expect(asked).toEqual({ one: 0, two: 1, three: 1 });
  const gathered = one.collect();
  three.note(done(5));
  three.end();
  expect(await gathered).toEqual(done(15));
});

test("a process that ends while it is asked for its metrics is not waited for", async () => {
  const pool = createMetricsPool(60_000);
  const [one, two] = [pool(1), pool(2)];
  two.begin(() => {});
  two.note(done(2));
  const gathered = one.collect();
  two.end();
  expect(await gathered).toEqual(done(2));
});
