import { setTimeout as pause } from "node:timers/promises";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { taskStatuses } from "@holdfast/api/resources/task-words";
import { sql } from "kysely";
import type { Action } from "../../audit/record-action";
import { isPostgres } from "../../database/adapter";
import type { Database, Queries } from "../../database/database";
import { DatabaseUnavailable } from "../../database/errors";
import { takeLock } from "../../database/locks";
import { type Month, monthOf } from "../../database/month";
import { dropPartition, holdPartition, keepOthersFromTasks, listPartitions } from "../../database/tasks/partitions";
import { countMonth, forgetDaysOf, forgetEmptyWeeks, takeOffTotals, takeOffWeeks } from "./counts/counts";
import { isFinished } from "./lifecycle";
import { dayLength } from "./record";
import { deleteOldest } from "./reports/store";

/** Result for a month that is old enough to go. */
export interface RemovedMonth {
  month: Month;
  removed: number;
  /** Number of its unfinished tasks. While there are any, it is kept. */
  unfinished: number;
}

/** A month that goes, and with how many tasks. */
export interface Removal {
  month: Month;
  tasks: number;
}

export interface RetentionOptions {
  /** A month goes when all of it is older than so many days. */
  days: number;
  now: number;
  /** Records the removal of a month in the audit trail, in the transaction that removes its first tasks. */
  record: (db: Queries, action: Action) => Promise<void>;
  /** Ends it before the next step. */
  signal?: AbortSignal;
}

const tasksPerStep = 500;
/** Between steps, in milliseconds: revoking a token meanwhile must not wait for the end. */
const breather = 20;
const maxAttempts = 12;
const unfinishedStatuses = taskStatuses.filter((status) => !isFinished(status));

/**
 * Removes tasks a whole month at a time: at once where each month has a partition, else in short steps, so that others
 * can write in between. Counts are exact all the while.
 */
export async function removeOldTasks(
  database: Database,
  { days, now, record, signal }: RetentionOptions,
): Promise<RemovedMonth[]> {
  const tell = (db: Queries, removal: Removal) => record(db, describeRemoval(removal, days));
  const months = await database.snapshot((db) => findMonths(db, now - days * dayLength));
  const done: RemovedMonth[] = [];
  for (const month of months) {
    if (signal?.aborted) break;
    const removed = await removeMonth(database, month, tell, signal);
    if (removed) done.push(removed);
  }
  return done;
}

/** Result that removing would have now. Nothing is changed. */
export async function previewRemoval(
  database: Database,
  { days, now }: Pick<RetentionOptions, "days" | "now">,
): Promise<RemovedMonth[]> {
  return database.snapshot(async (db) => {
    const months: RemovedMonth[] = [];
    for (const month of await findMonths(db, now - days * dayLength)) {
      const unfinished = await countUnfinished(db, month);
      months.push({ month, removed: unfinished > 0 ? 0 : sumOf(await countMonth(db, month)), unfinished });
    }
    return months;
  });
}

/** The months that end by then, oldest first: those that have tasks, and those that have a partition for them. */
async function findMonths(db: Queries, end: number): Promise<Month[]> {
  if (isPostgres(db)) return (await listPartitions(db)).filter(({ until }) => until <= end);
  const months: Month[] = [];
  for (let from = 0; ; ) {
    const found = await db
      .selectFrom("task_days")
      .select("day")
      .where("day", ">=", from / dayLength)
      .where("count", "<>", 0)
      .orderBy("day")
      .limit(1)
      .executeTakeFirst();
    const month = found && monthOf(found.day * dayLength);
    if (!month || month.until > end) return months;
    months.push(month);
    from = month.until;
  }
}

function describeRemoval({ month, tasks }: Removal, days: number): Action {
  const before = { month: month.label, tasks };
  return { operation: "prune-tasks", object: null, unitId: rootUnitId, before, after: { older_than_days: days } };
}

type RecordRemoval = (db: Queries, removal: Removal) => Promise<void>;

async function removeMonth(
  database: Database,
  month: Month,
  tell: RecordRemoval,
  signal?: AbortSignal,
): Promise<RemovedMonth | undefined> {
  let removed = 0;
  for (let tried = 1; ; ) {
    try {
      // The event of the first step covers the later ones.
      const tellOnce = removed === 0 ? tell : undefined;
      const step = await database.change(
        (db) => (isPostgres(db) ? dropMonth(db, month, tell) : deleteSome(db, month, tellOnce)),
        { kind: "maintenance", isLong: true },
      );
      if (!step) return undefined;
      removed += step.removed;
      if (step.isLast || signal?.aborted) return { month, removed, unfinished: step.unfinished };
      await pause(breather);
    } catch (error) {
      // Others were in the way for longer than everyone can be made to wait. They get a while before the next try.
      if (!(error instanceof DatabaseUnavailable) || tried === maxAttempts || signal?.aborted) throw error;
      await pause(100 * tried * (1 + Math.random()));
      tried += 1;
    }
  }
}

interface Step {
  removed: number;
  unfinished: number;
  isLast: boolean;
}

/** Nothing if another process has the lock. Slow work is done before taking the exclusive lock. */
async function dropMonth(db: Queries, month: Month, tell: RecordRemoval): Promise<Step | undefined> {
  if (!(await holdPartition(db, month))) return undefined;
  const unfinished = await countUnfinished(db, month);
  if (unfinished > 0) return { removed: 0, unfinished, isLast: true };
  const counts = await countMonth(db, month);
  const tasks = sumOf(counts);
  await forgetDaysOf(db, month);
  await takeOffWeeks(db, month);
  await takeLock(db, "changes");
  if (tasks > 0) await tell(db, { month, tasks });
  await keepOthersFromTasks(db);
  await takeOffTotals(db, counts);
  await dropPartition(db, month);
  return { removed: tasks, unfinished, isLast: true };
}

async function deleteSome(db: Queries, month: Month, tell: RecordRemoval | undefined): Promise<Step> {
  await takeLock(db, "changes");
  const unfinished = await countUnfinished(db, month);
  if (unfinished > 0) return { removed: 0, unfinished, isLast: true };
  const tasks = tell ? sumOf(await countMonth(db, month)) : 0;
  if (tasks > 0) await tell?.(db, { month, tasks });
  const removed = await deleteOldest(db, month, tasksPerStep);
  const isLast = removed < tasksPerStep;
  if (isLast) {
    await forgetDaysOf(db, month);
    await forgetEmptyWeeks(db);
  }
  return { removed, unfinished, isLast };
}

function sumOf(counts: readonly { count: number }[]): number {
  return counts.reduce((sum, { count }) => sum + count, 0);
}

async function countUnfinished(db: Queries, { from, until }: Month): Promise<number> {
  const row = await db
    .selectFrom("tasks")
    .select(sql<number>`count(*)`.as("count"))
    .where("status", "in", unfinishedStatuses)
    .where("created_at", ">=", from)
    .where("created_at", "<", until)
    .executeTakeFirst();
  return row?.count ?? 0;
}
