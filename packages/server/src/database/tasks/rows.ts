import { type CompiledQuery, sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import type { TaskTable } from "../schema";
import { copyInto, copyValue } from "./copy";
import { makeRoomForTasks, trustTaskIds } from "./partitions";

/** The row of a task before the database has numbered it. */
export type NewTaskRow = Omit<TaskTable, "seq">;

export interface AddOptions {
  /** Whether there were no tasks before, so that existing ids need not be checked. */
  isFirstLoad?: boolean;
}

const rowsPerStatement = 200;
const columns = [
  "id",
  "organizational_unit_id",
  "category",
  "type",
  "status",
  "created_at",
  "started_at",
  "ended_at",
  "entity_key",
  "outcome",
  "error_code",
  "monitor_id",
  "document",
] as const satisfies (keyof NewTaskRow)[];

/** Adds tasks in the way that is quickest for so many, and gives the highest number that one of them got. */
export async function addTaskRows(
  db: Queries,
  rows: readonly NewTaskRow[],
  { isFirstLoad = false }: AddOptions = {},
): Promise<number> {
  if (rows.length === 0) return 0;
  if (!isPostgres(db)) return insertRows(db, rows);
  await makeRoomForTasks(
    db,
    rows.map((row) => row.created_at),
  );
  if (isFirstLoad) await trustTaskIds(db);
  return rows.length < rowsPerStatement ? insertFew(db, rows) : copyRows(db, rows);
}

/** Changes a task. What has not changed is left out, because most changes then touch no index. */
export async function updateTaskRow(db: Queries, before: NewTaskRow, after: NewTaskRow): Promise<void> {
  const changes = Object.fromEntries(
    columns.flatMap((name) => (before[name] === after[name] ? [] : [[name, after[name]]])),
  );
  if (Object.keys(changes).length === 0) return;
  await db
    .updateTable("tasks")
    .set(changes)
    .where("created_at", "=", before.created_at)
    .where("id", "=", before.id)
    .execute();
}

async function insertRows(db: Queries, rows: readonly NewTaskRow[]): Promise<number> {
  let insertFullBatch: CompiledQuery | undefined;
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const batch = rows.slice(from, from + rowsPerStatement);
    if (batch.length < rowsPerStatement) {
      await db.insertInto("tasks").values(batch).execute();
    } else {
      // Building the statement takes longer than running it, and full batches differ in their values only.
      insertFullBatch ??= db.insertInto("tasks").values(batch).compile();
      await db.executeQuery({ ...insertFullBatch, parameters: batch.flatMap((row) => Object.values(row)) });
    }
  }
  // Nobody else writes at the same time, so the newest of all is one of these.
  const newest = await db
    .selectFrom("tasks")
    .select((eb) => eb.fn.max("seq").as("seq"))
    .executeTakeFirst();
  return newest?.seq ?? 0;
}

async function insertFew(db: Queries, rows: readonly NewTaskRow[]): Promise<number> {
  const added = await db.insertInto("tasks").values(rows).returning("seq").execute();
  return Math.max(...added.map(({ seq }) => seq));
}

/** COPY does not return the numbers of the rows, but the sequence knows the last one that it gave to this connection. */
async function copyRows(db: Queries, rows: readonly NewTaskRow[]): Promise<number> {
  const lines = rows.map((row) => columns.map((column) => copyValue(row[column])).join("\t"));
  await copyInto(db, "tasks", columns, `${lines.join("\n")}\n`);
  const { rows: numbers } = await sql<{ seq: number }>`
    select currval(pg_get_serial_sequence('tasks', 'seq')) as seq`.execute(db);
  return numbers[0]?.seq ?? 0;
}
