import type { Database, Queries } from "../../../database/database";
import { dayLength, readDocument, writeDocument } from "../record";
import { removeLogs } from "./log-store";

/** For how many days logs are kept; 0 is for as long as their tasks. */
export interface LogDays {
  success: number;
  others: number;
}

interface OldLog {
  task_id: string;
  created_at: number;
  /** Null where the task is gone. */
  document: string | null;
  ended_at: number | null;
}

const logsPerStep = 200;

/** Removes logs whose time is over, and those of tasks that are gone. Others get their turn to write in between. */
export async function removeOldLogs(
  database: Database,
  { days, now, signal }: { days: LogDays; now: number; signal: AbortSignal },
): Promise<void> {
  let after = { created_at: 0, task_id: "" };
  while (!signal.aborted) {
    const logs = await database.snapshot((db) => listLogs(db, after));
    const last = logs.at(-1);
    if (!last) return;
    const over = logs.filter((log) => isOver(log, days, now));
    if (over.length > 0) await database.change((db) => remove(db, over));
    after = last;
  }
}

async function listLogs(db: Queries, after: { created_at: number; task_id: string }): Promise<OldLog[]> {
  return db
    .selectFrom("task_logs")
    .leftJoin("tasks", (join) =>
      join.onRef("tasks.created_at", "=", "task_logs.created_at").onRef("tasks.id", "=", "task_logs.task_id"),
    )
    .select(["task_logs.task_id", "task_logs.created_at", "document", "ended_at"])
    .where((eb) =>
      eb.or([
        eb("task_logs.created_at", ">", after.created_at),
        eb.and([eb("task_logs.created_at", "=", after.created_at), eb("task_logs.task_id", ">", after.task_id)]),
      ]),
    )
    .orderBy("task_logs.created_at")
    .orderBy("task_logs.task_id")
    .limit(logsPerStep)
    .execute();
}

function isOver({ document, ended_at }: OldLog, days: LogDays, now: number): boolean {
  if (document === null) return true;
  const kept = readDocument(document).outcome === "success" ? days.success : days.others;
  return kept > 0 && ended_at !== null && ended_at < now - kept * dayLength;
}

async function remove(db: Queries, logs: readonly OldLog[]): Promise<void> {
  await removeLogs(
    db,
    logs.map(({ task_id }) => task_id),
  );
  for (const { task_id, created_at } of logs) {
    const task = await db
      .selectFrom("tasks")
      .select("document")
      .where("created_at", "=", created_at)
      .where("id", "=", task_id)
      .executeTakeFirst();
    if (!task) continue;
    const { hasLog: _, ...record } = readDocument(task.document);
    await db
      .updateTable("tasks")
      .set({ document: writeDocument(record) })
      .where("created_at", "=", created_at)
      .where("id", "=", task_id)
      .execute();
  }
}
