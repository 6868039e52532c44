import { setImmediate } from "node:timers/promises";
import { CompiledQuery, sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import { type ColumnKinds, columnNames, rowsAsTable } from "../many-rows";
import { makeRoomForTasks, trustTaskIds } from "../tasks/partitions";
import type { PlannedTable } from "./moved-tables";

export type Value = string | number | null;
export type Row = Record<string, Value>;
/** The values of a row's key, in the order of its columns. */
export type Key = readonly Value[];

/** Reads a database, in one snapshot for all batches or in one for each. */
export type Look = <Result>(read: (db: Queries) => Promise<Result>) => Promise<Result>;

const rowsAtFirst = 200;
const maxRows = 5_000;
const charactersPerBatch = 8_000_000;
const rowsPerStatement = 200;

/** Reads a table in the order of its key, from behind a row on, in batches that are never too big for the memory. */
export async function* readBatches(look: Look, table: PlannedTable, after: Key | null): AsyncGenerator<Row[]> {
  let limit = rowsAtFirst;
  let last = after;
  for (;;) {
    const [from, max] = [last, limit];
    const rows = await look((db) => readRows(db, table, from, max));
    const newest = rows.at(-1);
    if (newest === undefined) return;
    yield rows;
    // SQLite does its work in one go: only in between can a signal be heard.
    await setImmediate();
    if (rows.length < limit) return;
    last = keyOf(table, newest);
    limit = Math.max(1, Math.min(maxRows, Math.floor((charactersPerBatch / sizeOf(rows)) * rows.length)));
  }
}

export function keyOf({ key }: PlannedTable, row: Row): Key {
  return key.map((column) => row[column] ?? null);
}

async function readRows(db: Queries, table: PlannedTable, after: Key | null, limit: number): Promise<Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  const beyond = after === null ? sql`` : sql`where (${key}) > (${sql.join(after)})`;
  const columns = sql.join(table.columns.map((column) => sql.ref(column)));
  const { rows } = await sql<Row>`
    select ${columns} from ${sql.table(table.name)} ${beyond} order by ${key} limit ${limit}`.execute(db);
  return rows;
}

function sizeOf(rows: readonly Row[]): number {
  let size = 1;
  for (const row of rows) for (const value of Object.values(row)) size += typeof value === "string" ? value.length : 8;
  return size;
}

/** Adds rows as they are, numbers included. What refers to the same table stays empty for now. */
export async function addRows(db: Queries, table: PlannedTable, rows: readonly Row[]): Promise<void> {
  const { name, columns, refersToItself } = table;
  if (name === "tasks") {
    await makeRoomForTasks(
      db,
      rows.map((row) => Number(row.created_at)),
    );
    // Their ids are unlike one another where they come from.
    await trustTaskIds(db);
  }
  if (isPostgres(db)) {
    const kinds = await kindsOf(db, table);
    const given = refersToItself === undefined ? rows : rows.map((row) => ({ ...row, [refersToItself]: null }));
    await sql`
      insert into ${sql.table(name)} (${columnNames(kinds)})
      select ${columnNames(kinds)} from ${rowsAsTable(kinds, given, "given")}`.execute(db);
    return;
  }
  const valuesOf = (row: Row) => columns.map((column) => (column === refersToItself ? null : (row[column] ?? null)));
  const places = `(${columns.map(() => "?").join(", ")})`;
  for (const some of inParts(rows)) {
    const text = `insert into ${name} (${columns.join(", ")}) values ${some.map(() => places).join(", ")}`;
    await db.executeQuery(CompiledQuery.raw(text, some.flatMap(valuesOf)));
  }
}

/** Tells of which type each column is: there are texts and whole numbers. */
async function kindsOf(db: Queries, { name, columns }: PlannedTable): Promise<ColumnKinds<string>> {
  const { rows } = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${name}::regclass and atttypid = 'text'::regtype`.execute(
    db,
  );
  const texts = new Set(rows.map((column) => column.name));
  return Object.fromEntries(columns.map((column) => [column, texts.has(column) ? "text" : "bigint"]));
}

/** Fills in what refers to the same table. */
export async function addReferences(
  db: Queries,
  { name, key: [key = ""] }: PlannedTable,
  column: string,
  rows: readonly Row[],
): Promise<void> {
  for (const some of inParts(rows.filter((row) => row[column] !== null))) {
    const values = sql.join(some.map((row) => sql`(${row[key]}, ${row[column]})`));
    await sql`
      update ${sql.table(name)} set ${sql.ref(column)} = filled.column2
      from (values ${values}) as filled where ${sql.ref(`${name}.${key}`)} = filled.column1`.execute(db);
  }
}

function inParts(rows: readonly Row[]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / rowsPerStatement) }, (_, index) =>
    rows.slice(index * rowsPerStatement, (index + 1) * rowsPerStatement),
  );
}

/** Removes every row of these tables, of which none is referred to by one that comes before it. */
export async function removeRows(db: Queries, tables: readonly PlannedTable[]): Promise<void> {
  if (isPostgres(db)) {
    await sql`truncate ${sql.join(tables.map(({ name }) => sql.table(name)))}`.execute(db);
    return;
  }
  for (const { name } of tables.toReversed()) await sql`delete from ${sql.table(name)}`.execute(db);
}

/** Number of rows in these tables. */
export async function countRows(db: Queries, tables: readonly PlannedTable[]): Promise<number> {
  let total = 0;
  for (const { name } of tables) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db);
    total += rows[0]?.count ?? 0;
  }
  return total;
}
