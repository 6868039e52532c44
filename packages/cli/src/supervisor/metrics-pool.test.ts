import { expect, test } from "bun:test";
import type { MetricsSnapshot } from "@holdfast/server/observe/metrics-snapshot";
import { createMetricsPool } from "./metrics-pool";

function snapshot(pid: number, count: number): MetricsSnapshot {
  return {
    done: [
      { name: "holdfast_leases_lost_total", labels: [], value: count },
      { name: "holdfast_report_duration_seconds", labels: ["log"], value: count / 4, count, counts: [count, 0] },
    ],
    gauges: [{ name: "holdfast_info", labels: ["1.0.0", String(pid)], value: 1 }],
  };
}

test("a process gets the last figures of the others, and those of all that have ended added up", () => {
  const pool = createMetricsPool();
  const [one, two, three] = [pool(1), pool(2), pool(3)];
  one.note(snapshot(11, 1));
  two.note(snapshot(12, 2));
  three.note(snapshot(13, 4));
  expect(one.gather()).toEqual({
    number: 1,
    others: [
      { number: 2, snapshot: snapshot(12, 2) },
      { number: 3, snapshot: snapshot(13, 4) },
    ],
    ended: [],
  });
  two.end();
  two.note(snapshot(12, 100));
  three.end();
  pool(2).note(snapshot(22, 8));
  expect(one.gather()).toEqual({
    number: 1,
    others: [{ number: 2, snapshot: snapshot(22, 8) }],
    ended: snapshot(0, 6).done,
  });
});
