import { type CompiledQuery, sql } from "kysely";
import { hasPartitions, isPostgres } from "../adapter";
import type { Queries } from "../database";
import { runLater } from "../later";
import { prepareInsert } from "../many-rows";
import { type PreparedQuery, prepareQuery } from "../prepared-query";
import type { TaskTable } from "../schema";
import { copyInto, copyValue } from "./copy";
import { makeRoomForTasks, trustTaskIds } from "./partitions";

/** The row of a task before the database has numbered it. */
export type NewTaskRow = Omit<TaskTable, "seq" | "lane">;

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
  "operation",
  "document",
] as const satisfies (keyof NewTaskRow)[];
type Column = (typeof columns)[number];
const numbers: readonly Column[] = ["created_at", "started_at", "ended_at", "entity_key"];

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

/** The row of a task, and what it becomes. */
export interface RowChange {
  before: NewTaskRow;
  after: NewTaskRow;
}

/** Changes tasks. What has not changed is left out, because most changes then touch no index. */
export async function updateTaskRows(db: Queries, changes: readonly RowChange[]): Promise<void> {
  const alike = Map.groupBy(changes, ({ before, after }) =>
    columns.filter((name) => before[name] !== after[name]).join(" "),
  );
  for (const [names, some] of alike) {
    const changed = columns.filter((name) => names.split(" ").includes(name));
    if (changed.length === 0) continue;
    if (hasPartitions(db)) await updateTogether(db, changed, some);
    else for (const change of some) await updateOne(db, changed, change);
  }
}

/** A task as it becomes, and where it is. */
type UpdateValues = NewTaskRow & { at: number; key: string };
/** The statements that change one task, by what they change. */
const updates = new Map<string, PreparedQuery<UpdateValues, never>>();

async function updateOne(db: Queries, changed: readonly Column[], { before, after }: RowChange): Promise<void> {
  const names = changed.join();
  const update =
    updates.get(names) ??
    prepareQuery<UpdateValues, never>((slot) => {
      const places = changed.map((name) => sql`${sql.ref(name)} = ${slot(name)}`);
      return sql`update tasks set ${sql.join(places)} where created_at = ${slot("at")} and id = ${slot("key")}`;
    });
  updates.set(names, update);
  await update.run(db, { ...after, at: before.created_at, key: before.id });
}

/** One statement for all rows: otherwise each of them is waited for, with the locks of all. */
async function updateTogether(db: Queries, changed: readonly Column[], changes: readonly RowChange[]): Promise<void> {
  const times = changes.map(({ before }) => before.created_at);
  const valuesOf = (name: Column) =>
    sql`cast(${changes.map(({ after }) => after[name])} as ${sql.raw(numbers.includes(name) ? "bigint" : "text")}[])`;
  const places = changed.map((name) => sql`${sql.ref(name)} = changed.${sql.ref(`new_${name}`)}`);
  // The earliest and the latest time leave few partitions to plan for.
  const update = sql`
    update tasks set ${sql.join(places)}
    from unnest(
      cast(${times} as bigint[]), cast(${changes.map(({ before }) => before.id)} as text[]),
      ${sql.join(changed.map(valuesOf))}
    ) as changed (at, key, ${sql.join(changed.map((name) => sql.ref(`new_${name}`)))})
    where tasks.created_at = changed.at and tasks.id = changed.key
      and tasks.created_at >= ${Math.min(...times)} and tasks.created_at <= ${Math.max(...times)}`;
  await runLater(db, update.compile(db));
}

const insertEach = prepareInsert("tasks", columns);

async function insertRows(db: Queries, rows: readonly NewTaskRow[]): Promise<number> {
  let insertFullBatch: CompiledQuery | undefined;
  for (let from = 0; from < rows.length; from += rowsPerStatement) {
    const batch = rows.slice(from, from + rowsPerStatement);
    if (batch.length < rowsPerStatement) {
      await insertEach(db, batch);
    } else {
      // Building the statement takes longer than running it, and full batches differ in their values only.
      insertFullBatch ??= db.insertInto("tasks").values(batch).compile();
      await db.executeQuery({ ...insertFullBatch, parameters: batch.flatMap((row) => Object.values(row)) });
    }
  }
  // No other process writes at the same time, so the newest of all is one of these.
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
