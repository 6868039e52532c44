import type { Queries } from "../../../database/database";
import type { Month } from "../../../database/month";
import { followEntities } from "../../../database/protection/follow-tasks";
import { noteBulkChange } from "../../../database/tasks/bulk-change";
import { type AddOptions, addTaskRows, type RowChange, updateTaskRows } from "../../../database/tasks/rows";
import { CountChanges } from "../counts/counts";
import { type TaskRecord, taskRow } from "../record";
import { noteChanges } from "../watch/task-changes";
import { findEntityKeys, identity, type KnownEntities } from "./entities";
import type { FollowedTask, FollowTasks } from "./follow-tasks";
import { seenTask } from "./seen-task";

const idsPerStatement = 500;

/**
 * Adds tasks and counts them. Gives the keys of the entities that were not known: they hold once this is committed, so
 * a caller that keeps them for further tasks does so only then.
 */
export async function insertTasks(
  db: Queries,
  tasks: readonly TaskRecord[],
  known: ReadonlyMap<string, number> = new Map(),
  options: AddOptions = {},
): Promise<KnownEntities> {
  const found = await findEntityKeys(
    db,
    tasks.flatMap((task) => task.primary_entity ?? []),
    known,
  );
  const rows = tasks.map(({ primary_entity: entity, ...task }) => {
    const name = entity && identity(entity);
    return taskRow(
      { ...task, primary_entity: entity },
      name === null ? null : (known.get(name) ?? found.get(name) ?? null),
    );
  });
  const newest = await addTaskRows(db, rows, options);
  const counts = new CountChanges();
  for (const row of rows) counts.add(row, 1);
  await counts.apply(db, newest);
  await followEntities(
    db,
    tasks.map((task) => ({ task: seenTask(task), before: null })),
  );
  if (tasks.length > 0) await noteBulkChange(db, Date.now());
  return found;
}

/** A task that is stored: its number, and as it was. */
export interface StoredTask {
  seq: number;
  before: TaskRecord;
  entityKey: number | null;
}

/** A stored task and what it became. */
export interface TaskUpdate extends StoredTask {
  after: TaskRecord;
}

/** States that tasks passed through on the way to their present one, by id, if they had another status then. */
export type PassedStates = ReadonlyMap<string, readonly TaskRecord[]>;

/** Adds new tasks and changes others, counts both together, and lets other resources follow. */
export async function saveTasks(
  db: Queries,
  added: readonly TaskRecord[],
  changed: readonly TaskUpdate[],
  follow: FollowTasks,
  now: number,
  passed: PassedStates = new Map(),
): Promise<void> {
  const moved = changed.filter(({ before, after }) => nameOf(before) !== nameOf(after));
  const entities = [...added, ...moved.map(({ after }) => after)].flatMap((task) => task.primary_entity ?? []);
  const keys = await findEntityKeys(db, entities, new Map());
  const keyOf = (task: TaskRecord) => keys.get(nameOf(task)) ?? null;
  const rows = added.map((task) => taskRow(task, keyOf(task)));
  const newest = await addTaskRows(db, rows);
  const counts = new CountChanges();
  for (const row of rows) counts.add(row, 1);
  const updates: RowChange[] = [];
  for (const { before, after, entityKey, ...task } of changed) {
    const was = taskRow(before, entityKey);
    const is = taskRow(after, moved.some((one) => one.seq === task.seq) ? keyOf(after) : entityKey);
    counts.add(was, -1);
    counts.add(is, 1);
    updates.push({ before: was, after: is });
  }
  // Neither needs the result of the other.
  await Promise.all([updateTaskRows(db, updates), counts.apply(db, newest)]);
  const changes: FollowedTask[] = [
    ...added.map((task) => ({ task, before: null, between: passed.get(task.id) ?? [] })),
    ...changed.map(({ before, after }) => ({ task: after, before, between: passed.get(after.id) ?? [] })),
  ];
  await follow(db, changes, now);
  // Last, because numbers of changes that are undone are lost, and the first number of all tells whether some were forgotten.
  await noteChanges(db, changes, now);
}

function nameOf({ primary_entity: entity }: TaskRecord): string {
  return entity ? identity(entity) : "";
}

/** True if there is any task. */
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

/** Removes the oldest tasks of a month, at most so many, and gives how many there were. */
export async function deleteOldest(db: Queries, { from, until }: Month, max: number): Promise<number> {
  const oldest = db
    .selectFrom("tasks")
    .select("seq")
    .where("created_at", ">=", from)
    .where("created_at", "<", until)
    .orderBy("created_at")
    .orderBy("id")
    .limit(max);
  const rows = await db
    .deleteFrom("tasks")
    .where("seq", "in", oldest)
    .returning(["organizational_unit_id", "category", "type", "status", "outcome", "created_at", "entity_key"])
    .execute();
  const counts = new CountChanges();
  for (const row of rows) counts.add(row, -1);
  await counts.apply(db);
  return rows.length;
}
