import { type MonitorState, monitorStates } from "@holdfast/api/resources/monitor-words";
import type { Queries } from "../../database/database";
import { readOutcomes } from "./state";

/** Number of monitors by state, in all units. */
export interface MonitorCounts {
  states: { state: MonitorState; count: number }[];
  /** Since when each has had no good run, in milliseconds; empty where there are too many. */
  successes: { id: string; slug: string; since: number }[];
}

/** Counts monitors by state and, where there are not more than so many, says when each had its last good run. */
export async function countMonitors(db: Queries, max: number): Promise<MonitorCounts> {
  const counted = await db
    .selectFrom("monitors")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .groupBy("state")
    .execute();
  const states = monitorStates.map((state) => ({
    state,
    count: Number(counted.find((one) => one.state === state)?.count ?? 0),
  }));
  const isFew = states.reduce((sum, { count }) => sum + count, 0) <= max;
  const rows = isFew
    ? await db
        .selectFrom("monitors")
        .select(["id", "slug", "recent_outcomes", "created_at"])
        .orderBy("id")
        .limit(max)
        .execute()
    : [];
  return { states, successes: rows.map((row) => ({ id: row.id, slug: row.slug, since: lastSuccess(row) })) };
}

/** When the last good run was created; else the oldest that is known, or the monitor. */
function lastSuccess(row: { recent_outcomes: string; created_at: number }): number {
  const outcomes = readOutcomes(row);
  const good = outcomes.findLast(({ outcome }) => outcome === "success" || outcome === "warning") ?? outcomes[0];
  return good ? Date.parse(good.created_timestamp) : row.created_at;
}
