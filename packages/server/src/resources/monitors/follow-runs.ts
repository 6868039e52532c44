import type { Queries } from "../../database/database";
import { lockRows } from "../../database/locks";
import { isFinished } from "../tasks/lifecycle";
import type { TaskRecord } from "../tasks/record";
import type { FollowedTask } from "../tasks/reports/follow-tasks";
import { expectAfterRun } from "./expectation";
import { followRun, isPaused, type Monitor, type MonitoredRun, settleState } from "./state";
import { followWatching } from "./watched-entities";

const idsPerStatement = 500;

/** A monitor that has gone down or come up again, and the task that made it so. */
export interface MonitorTransition {
  monitor: Monitor;
  turn: "down" | "up";
  task: TaskRecord;
}

/** Keeps monitors in step with their tasks. Gives those that have gone down or come up. */
export async function followRuns(
  db: Queries,
  changes: readonly FollowedTask[],
  now: number,
): Promise<MonitorTransition[]> {
  const runs = changes.flatMap((change) => {
    const run = runOf(change);
    return run && change.task.monitor_id !== undefined ? [{ run, change, monitorId: change.task.monitor_id }] : [];
  });
  const monitors = await findMonitors(db, [...new Set(runs.map(({ monitorId }) => monitorId))].sort());
  const turns: MonitorTransition[] = [];
  for (const [monitorId, its] of Map.groupBy(runs, (one) => one.monitorId)) {
    const stored = monitors.get(monitorId);
    // It was deleted: its tasks are tasks like any other.
    if (!stored) continue;
    let monitor = stored;
    for (const { run, change } of its) {
      const { facts, turn } = followRun(monitor, run);
      monitor = { ...monitor, ...facts, ...expectationAfter(monitor, run, now) };
      monitor = { ...monitor, ...settleState(monitor, now) };
      if (!turn) continue;
      monitor = { ...monitor, down_since_at: turn === "down" ? now : null };
      turns.push({ monitor, turn, task: change.task });
    }
    await save(db, monitor);
    await followWatching(db, [{ before: stored, after: monitor }]);
  }
  return turns;
}

/** Run of a monitor that follows from a change of a task; undefined for a change that is nothing to it, such as progress. */
function runOf({ task, before: changed }: FollowedTask): MonitoredRun | undefined {
  // A task that has come to a monitor is new to it.
  const before = changed?.monitor_id === task.monitor_id ? changed : null;
  const isSame =
    before !== null &&
    before.status === task.status &&
    before.outcome === task.outcome &&
    before.start_timestamp === task.start_timestamp;
  if (isSame) return undefined;
  const hasBegun = task.start_timestamp !== null && task.start_timestamp !== before?.start_timestamp;
  return {
    taskId: task.id,
    createdAt: Date.parse(task.created_timestamp),
    createdTimestamp: task.created_timestamp,
    isNew: before === null,
    begunAt: hasBegun && task.start_timestamp !== null ? Date.parse(task.start_timestamp) : null,
    opened: runs(task) - runs(before),
    outcome: isFinished(task.status) ? task.outcome : null,
  };
}

/** Counts a task that is under way. */
function runs(task: TaskRecord | null): number {
  return task?.status === "in_progress" || task?.status === "aborting" ? 1 : 0;
}

/** A run that has begun counts for the expected one. One that is heard of late takes nothing back. */
function expectationAfter(monitor: Monitor, { begunAt }: MonitoredRun, now: number): Partial<Monitor> {
  if (begunAt === null || isPaused(monitor, now)) return {};
  const next = expectAfterRun(monitor, begunAt);
  const isLater = (next.next_expected_at ?? 0) > (monitor.next_expected_at ?? 0);
  return isLater ? next : {};
}

/** Keeps other reports from changing the monitors. All lock in one order. */
async function findMonitors(db: Queries, ids: readonly string[]): Promise<Map<string, Monitor>> {
  const found = new Map<string, Monitor>();
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const query = db
      .selectFrom("monitors")
      .selectAll()
      .where("id", "in", ids.slice(from, from + idsPerStatement));
    const rows = await lockRows(db, query.orderBy("id")).execute();
    for (const row of rows) found.set(row.id, row);
  }
  return found;
}

/** Writes what runs change of a monitor. */
async function save(db: Queries, monitor: Monitor): Promise<void> {
  const { id, state, state_rank, next_check_at, next_expected_at, grace_counts_from_at } = monitor;
  const { open_runs, last_task_id, last_begun_at, missed_in_a_row, recent_outcomes, is_down, down_since_at } = monitor;
  await db
    .updateTable("monitors")
    .set({ state, state_rank, next_check_at, next_expected_at, grace_counts_from_at })
    .set({ open_runs, last_task_id, last_begun_at, missed_in_a_row, recent_outcomes, is_down, down_since_at })
    .where("id", "=", id)
    .execute();
}
