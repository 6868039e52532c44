import type { TaskV1 } from "@holdfast/api/resources/tasks";
import type { Queries } from "../src/database/database";
import { makeRoomForTasks } from "../src/database/tasks/partitions";
import { CountChanges } from "../src/resources/tasks/counts/counts";
import { type TaskRecord, taskRow } from "../src/resources/tasks/record";
import { findEntityKeys, identity } from "../src/resources/tasks/reports/entities";

// Reports change tasks as far as their life cycle goes, and nothing deletes a single one. Tests do anything to any task, to
// see that lists, counts, caches and copies follow.

/** Changes fields of a task, and gives it as it is then. */
export async function updateTask(db: Queries, id: string, update: Partial<TaskRecord>): Promise<TaskRecord> {
  const row = await db.selectFrom("tasks").select("document").where("id", "=", id).executeTakeFirstOrThrow();
  const { _links, ...before }: TaskV1 = JSON.parse(row.document);
  const after = { ...before, ...update };
  if (!(await replaceTask(db, before, after))) throw new Error(`The task ${id} was changed meanwhile.`);
  return after;
}

/** Replaces an older state of a task. Gives false where it has changed in the meantime. */
export async function replaceTask(db: Queries, before: TaskRecord, after: TaskRecord): Promise<boolean> {
  const entity = after.primary_entity;
  const keys = await findEntityKeys(db, entity ? [entity] : [], new Map());
  const row = taskRow(after, entity ? (keys.get(identity(entity)) ?? null) : null);
  const stored = await db.selectFrom("tasks").select("entity_key").where("id", "=", before.id).executeTakeFirst();
  await makeRoomForTasks(db, [row.created_at]);
  const replaced = await db
    .updateTable("tasks")
    .set(row)
    .where("id", "=", before.id)
    .where("document", "=", taskRow(before, null).document)
    .returning("seq")
    .executeTakeFirst();
  if (!replaced) return false;
  const counts = new CountChanges();
  counts.add(taskRow(before, stored?.entity_key ?? null), -1);
  counts.add(row, 1);
  // It may be new to the unit that it has come to.
  await counts.apply(db, replaced.seq);
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
