import type { Bench } from "../bench";
import { againstPageOne } from "./times";

const hour = 3_600_000;
const day = 24 * hour;

/** How long counts take beside page 1. */
export async function measureCounts(bench: Bench): Promise<void> {
  const filterOf = (filter: object) => `&filter=${encodeURIComponent(JSON.stringify(filter))}`;
  // Another end each time, after all tasks, so that nothing is remembered.
  const since = (start: number, n: number) => {
    const $lt = new Date((Math.floor(Date.now() / day) + 1) * day + n).toISOString();
    return filterOf({ created_timestamp: { $gte: new Date(start).toISOString(), $lt } });
  };
  const thisHour = Math.floor(Date.now() / hour) * hour;
  const today = Math.floor(Date.now() / day) * day;
  const counts: [string, (n: number) => string][] = [
    ["24 hours by hour", (n) => `interval=hour${since(thisHour - day, n)}`],
    ["30 days by day in Berlin", (n) => `time_zone=Europe/Berlin${since(today - 30 * day, n)}`],
    ["30 days by day in Kolkata", (n) => `time_zone=Asia/Kolkata${since(today - 30 * day, n)}`],
    ["all by status", (n) => `interval=all&group_by=status${filterOf({ type: { $neq: `nothing-${n}` } })}`],
  ];
  const { headers } = bench.ours;
  for (const [name, query] of counts) {
    const request = (n: number) => ({ method: "GET", path: `/task-counts?limit=1000&${query(n)}`, headers });
    await againstPageOne(bench, "counts", `counts of ${name}`, (_, n) => request(n));
  }
}
