import type { CompiledQuery } from "kysely";
import type { Queries } from "../../database/database";
import { CountChanges } from "./counts";
import { entityKeys, identity, type KnownEntities } from "./entities";
import { readDocument, type TaskRecord, taskRow } from "./record";

const rowsPerStatement = 200;
const idsPerStatement = 500;

/** Adds tasks and counts them. */
export async function insertTasks(
  db: Queries,
  tasks: readonly TaskRecord[],
  known: KnownEntities = new Map(),
): Promise<void> {
  const counts = new CountChanges();
  let insertFullBatch: CompiledQuery | undefined;
  for (let from = 0; from < tasks.length; from += rowsPerStatement) {
    const batch = tasks.slice(from, from + rowsPerStatement);
    const keys = await entityKeys(
      db,
      batch.flatMap((task) => task.primary_entity ?? []),
      known,
    );
    const rows = batch.map((task) =>
      taskRow(task, task.primary_entity ? (keys.get(identity(task.primary_entity)) ?? null) : null),
    );
    if (rows.length < rowsPerStatement) {
      await db.insertInto("tasks").values(rows).execute();
    } else {
      // Building the statement takes longer than running it, and full batches differ in their values only.
      insertFullBatch ??= db.insertInto("tasks").values(rows).compile();
      await db.executeQuery({ ...insertFullBatch, parameters: rows.flatMap((row) => Object.values(row)) });
    }
    for (const row of rows) counts.add(row, 1);
  }
  await counts.apply(db);
}

/** Whether there is any task. */
export async function hasTasks(db: Queries): Promise<boolean> {
  return (await db.selectFrom("tasks").select("seq").limit(1).executeTakeFirst()) !== undefined;
}

/** Which of these ids are taken already. */
export async function takenTaskIds(db: Queries, ids: readonly string[]): Promise<Set<string>> {
  const taken = new Set<string>();
  for (let from = 0; from < ids.length; from += idsPerStatement) {
    const some = ids.slice(from, from + idsPerStatement);
    const rows = await db.selectFrom("tasks").select("id").where("id", "in", some).execute();
    for (const row of rows) taken.add(row.id);
  }
  return taken;
}

/** Writes a task anew in the place of an older state of itself. Gives false where it has changed in the meantime. */
export async function replaceTask(db: Queries, before: TaskRecord, after: TaskRecord): Promise<boolean> {
  const keys = await entityKeys(db, after.primary_entity ? [after.primary_entity] : []);
  const row = taskRow(after, after.primary_entity ? (keys.get(identity(after.primary_entity)) ?? null) : null);
  const { numUpdatedRows } = await db
    .updateTable("tasks")
    .set(row)
    .where("id", "=", before.id)
    .where("document", "=", taskRow(before, null).document)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  const counts = new CountChanges();
  counts.add(taskRow(before, null), -1);
  counts.add(row, 1);
  await counts.apply(db);
  return true;
}

/** Removes tasks; ids that do not exist are passed over. */
export async function deleteTasks(db: Queries, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db.deleteFrom("tasks").where("id", "in", ids).returningAll().execute();
  const counts = new CountChanges();
  for (const row of rows) counts.add(row, -1);
  await counts.apply(db);
}

/** Reads a task by its id, wherever it belongs. */
export async function findTask(db: Queries, id: string): Promise<TaskRecord | undefined> {
  const row = await db.selectFrom("tasks").select("document").where("id", "=", id).executeTakeFirst();
  return row && readDocument(row.document);
}
