import { sql } from "kysely";
import { hasPartitions, isPostgres } from "../../../database/adapter";
import type { Database, Queries } from "../../../database/database";
import { runLater } from "../../../database/later";
import { columnNames, columnsOf, listed, prepareInsert, rowsAsTable } from "../../../database/many-rows";
import { readSettled } from "../../../database/tasks/settled";
import { readDocument } from "../record";
import type { FollowedTask } from "../reports/follow-tasks";
import { type FilteredFields, fieldsOf } from "./filtered-fields";

/** For how long changes are kept at least, in milliseconds. */
export const changesKept = 600_000;
const rowsPerStatement = 200;
/** More changes at once make a stream begin again: reading them all would take longer than a page. */
const mostChanges = 5_000;

/** A change of a task: its number, and what filters look at as it was before; null for a new task. */
export interface TaskChange {
  number: number;
  taskId: string;
  before: FilteredFields | null;
}

/** Changes between two places, and the changed tasks as they are now. */
export interface ReadChanges {
  /** The place before them. */
  since: number;
  /** The place after them. */
  place: number;
  /** Whether the changes between are not available: too old, too many, or one change of many tasks. */
  isBroken: boolean;
  changes: TaskChange[];
  /** The tasks that there still are, by id. */
  tasks: ReadonlyMap<string, ChangedTask>;
}

/** A task as it is now. What filters look at is read once for all streams. */
export interface ChangedTask {
  document: string;
  fields: FilteredFields;
}

const changeKinds = { task_id: "text", created_at: "bigint", before: "text", changed_at: "bigint" } as const;

const noteEach = prepareInsert("task_changes", columnsOf(changeKinds));

/** Notes changes of tasks, in the transaction that makes them. */
export async function noteChanges(db: Queries, changes: readonly FollowedTask[], now: number): Promise<void> {
  const rows = changes.map(({ task, before }) => ({
    task_id: task.id,
    created_at: Date.parse(task.created_timestamp),
    before: before && JSON.stringify(fieldsOf(before)),
    changed_at: now,
  }));
  if (!isPostgres(db)) return noteEach(db, rows);
  if (hasPartitions(db) && rows.length > 0) {
    const names = columnNames(changeKinds);
    const insert = sql`
      insert into task_changes (${names}) select ${names} from ${rowsAsTable(changeKinds, rows, "given")}`;
    return runLater(db, insert.compile(db));
  }
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    await db
      .insertInto("task_changes")
      .values(rows.slice(from, from + rowsPerStatement))
      .execute();
  }
}

/** The newest change that can be seen. */
async function newestChange(db: Queries): Promise<number> {
  const row = await db
    .selectFrom("task_changes")
    .select((eb) => eb.fn.max("number").as("number"))
    .executeTakeFirst();
  return row?.number ?? 0;
}

/**
 * The place after everything that has happened, and before everything that is still to come. A change with a lower number
 * may be committed after one with a higher number; until it is, the place stays before it.
 */
export async function newestPlace(database: Pick<Database, "snapshot">): Promise<number> {
  const settled = await database.snapshot(readSettled);
  return database.snapshot(async (db) => Math.min(settled, await newestChange(db)));
}

/** Reads what has changed since a place. Without one it only finds the newest. */
export async function readChanges(
  database: Pick<Database, "snapshot">,
  from: number | undefined,
): Promise<ReadChanges> {
  // First this, then what can be seen: whatever is settled by now is in a snapshot that is taken afterwards.
  const settled = await database.snapshot(readSettled);
  return database.snapshot((db) => readSettledChanges(db, from, settled));
}

async function readSettledChanges(db: Queries, from: number | undefined, settled: number): Promise<ReadChanges> {
  const newest = await newestChange(db);
  const since = from ?? Math.min(settled, newest);
  // What is settled is found out from outside, and may be less than at an earlier time.
  const place = Math.max(since, Math.min(settled, newest));
  const broken: ReadChanges = { since, place: newest, isBroken: true, changes: [], tasks: new Map() };
  // Beyond the newest: an older database was put back. Before the first: the stream has to begin again.
  if (since > newest || since < 0) return broken;
  if (since === place) return { ...broken, place, isBroken: false };
  const rows = await db
    .selectFrom("task_changes")
    .select(["number", "task_id", "created_at", "before"])
    .where("number", ">", since)
    .where("number", "<=", place)
    .orderBy("number")
    .limit(mostChanges + 1)
    .execute();
  const isTooOld = (rows[0]?.number ?? 0) > since + 1 && !(await isKept(db, since));
  if (isTooOld || rows.length > mostChanges || rows.some(({ task_id }) => task_id === null)) return broken;
  const changes = rows.flatMap(({ number, task_id, before }): TaskChange[] =>
    task_id === null ? [] : [{ number, taskId: task_id, before: before === null ? null : JSON.parse(before) }],
  );
  const tasks = await readTasks(
    db,
    rows.flatMap(({ task_id, created_at }) => (task_id === null ? [] : [{ id: task_id, created_at }])),
  );
  return { since, place, isBroken: false, changes, tasks };
}

/** Whether a place is one of those that are kept: numbers may have gaps, where a transaction was undone. */
async function isKept(db: Queries, place: number): Promise<boolean> {
  const row = await db
    .selectFrom("task_changes")
    .select("number")
    .where("number", "<=", place)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

async function readTasks(
  db: Queries,
  changed: readonly { id: string; created_at: number }[],
): Promise<Map<string, ChangedTask>> {
  const tasks = new Map<string, ChangedTask>();
  const unique = [...new Map(changed.map((task) => [task.id, task])).values()];
  for (let from = 0; from < unique.length; from += rowsPerStatement) {
    const some = unique.slice(from, from + rowsPerStatement);
    const ids = some.map(({ id }) => id);
    const select = db.selectFrom("tasks").select(["id", "document"]);
    const found = isPostgres(db)
      ? select.where("created_at", "in", [...new Set(some.map(({ created_at }) => created_at))]).where("id", "in", ids)
      : select.where("id", "in", listed(ids));
    const rows = await found.execute();
    for (const { id, document } of rows) tasks.set(id, { document, fields: fieldsOf(readDocument(document)) });
  }
  return tasks;
}

/**
 * Forgets changes that are old: all up to the last old one, so that what is kept has no holes, whatever the clock did. The
 * newest stays, because places are compared with it.
 */
export async function forgetChanges(db: Queries, before: number): Promise<void> {
  const newest = await newestChange(db);
  const old = await db
    .selectFrom("task_changes")
    .select((eb) => eb.fn.max("number").as("number"))
    .where("changed_at", "<", before)
    .executeTakeFirst();
  if (!old?.number) return;
  await db
    .deleteFrom("task_changes")
    .where("number", "<=", Math.min(old.number, newest - 1))
    .execute();
}
