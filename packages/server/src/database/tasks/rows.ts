import { type CompiledQuery, sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import { type ColumnKinds, columnNames, columnsOf, prepareInsert, rowsAsTable } from "../many-rows";
import { type PreparedQuery, prepareQuery } from "../prepared-query";
import type { TaskTable } from "../schema";
import { makeRoomForTasks, trustTaskIds } from "./partitions";

/** The row of a task before the database has numbered it. */
export type NewTaskRow = Omit<TaskTable, "seq" | "xid">;

export interface AddOptions {
  /** True if there were no tasks before, so that existing ids need not be checked. */
  isFirstLoad?: boolean;
}

const rowsPerStatement = 200;
const kinds = {
  id: "text",
  organizational_unit_id: "text",
  category: "text",
  type: "text",
  status: "text",
  created_at: "bigint",
  started_at: "bigint",
  ended_at: "bigint",
  entity_key: "bigint",
  outcome: "text",
  error_code: "text",
  monitor_id: "text",
  operation: "text",
  document: "text",
} as const satisfies ColumnKinds<keyof NewTaskRow>;
type Column = keyof typeof kinds;
const columns = columnsOf(kinds);

/** Adds tasks, and returns the highest number that one of them got. */
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
  const { rows: added } = await sql<{ seq: number | null }>`
    with added as (
      insert into tasks (${columnNames(kinds)})
      select ${columnNames(kinds)} from ${rowsAsTable(kinds, rows, "given")} returning seq
    ) select max(seq) as seq from added`.execute(db);
  return added[0]?.seq ?? 0;
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
    if (isPostgres(db)) await updateTogether(db, changed, some);
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
  const valuesOf = (name: Column) => sql`cast(${changes.map(({ after }) => after[name])} as ${sql.raw(kinds[name])}[])`;
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
  await update.execute(db);
}

const insertEach = prepareInsert("tasks", columns);
const newestSeq = prepareQuery<object, { seq: number | null }>(
  () => sql<{ seq: number | null }>`select max(seq) as seq from tasks`,
);

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
  const [newest] = await newestSeq.run(db, {});
  return newest?.seq ?? 0;
}
