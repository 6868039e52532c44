import type { Plane } from "../harness";
import { parseMetrics, type Scraped } from "./parse-metrics";

/** The flags of a plane whose metrics are open. */
export const openMetrics = { base_url: "http://127.0.0.1:8080" };

export async function scrape(plane: Pick<Plane, "ask">): Promise<Scraped> {
  const { status, text } = await plane.ask("/metrics");
  if (status !== 200) throw new Error(`/metrics answered ${status}: ${text}`);
  return parseMetrics(text);
}

/** Metrics that differ in each test, and are tested by themselves: times, sizes, requests and what scrapes use themselves. */
const uncertain = /^(holdfast_(request|cache|change_wait|database|data_directory)|process_)|_(sum|bucket)(\{|$)/;

/** Series that a function has changed, but for what is uncertain. */
export async function movedBy(plane: Pick<Plane, "ask">, act: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape(plane);
  await act();
  const after = await scrape(plane);
  const keys = [...after.keys()].filter((key) => !uncertain.test(key) && after.get(key) !== before.get(key));
  return Object.fromEntries(keys.map((key) => [key, (after.get(key) ?? 0) - (before.get(key) ?? 0)]));
}
