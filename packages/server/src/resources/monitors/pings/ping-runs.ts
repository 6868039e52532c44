import type { Queries } from "../../../database/database";
import type { PingRun } from "./resolve-ping";

/** So many of the last runs of a monitor are looked at. Runs that go on beside each other are few. */
const maxRuns = 100;

/** The runs that pings of a monitor have reported, newest first: the last ones, and the one with a rid. */
export async function listRuns(db: Queries, monitorId: string, rid: string | null): Promise<PingRun[]> {
  const runs = db
    .selectFrom("ping_runs")
    .innerJoin("task_leases", "task_leases.task_id", "ping_runs.task_id")
    .selectAll("ping_runs")
    .select(["task_leases.state", "task_leases.log_size as logSize", "task_leases.ended_at as overAt"])
    .where("ping_runs.monitor_id", "=", monitorId);
  if (rid !== null) return runs.where("ping_runs.rid", "=", rid).execute();
  return runs.orderBy("ping_runs.begun_at", "desc").orderBy("ping_runs.task_id", "desc").limit(maxRuns).execute();
}

/** Last character of the log of a task. */
export async function lastCharacterOfLog(db: Queries, taskId: string): Promise<string> {
  const piece = await db
    .selectFrom("task_log_pieces")
    .select("text")
    .where("task_id", "=", taskId)
    .orderBy("starts_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return piece?.text.slice(-1) ?? "";
}
