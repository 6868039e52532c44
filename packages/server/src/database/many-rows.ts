import { type RawBuilder, sql } from "kysely";
import { isPostgres } from "./adapter";
import type { Queries } from "./database";
import { prepareQuery } from "./prepared-query";

// A statement whose text has a place for each row is another one for each number of rows: it is compiled again, and those that
// are kept take megabytes. These have one text for any number.

/** The columns of rows, and what PostgreSQL takes their values for. */
export type ColumnKinds<Column extends string> = Readonly<Record<Column, "text" | "bigint">>;

/**
 * Many rows as a table that a statement of PostgreSQL reads from: a list of values for each column. The text of the statement
 * is the same for any number of rows, and to write and to read it takes a fraction of what a value in each place takes.
 */
export function rowsAsTable<Column extends string>(
  kinds: ColumnKinds<Column>,
  rows: readonly Readonly<Record<Column, string | number | null>>[],
  name: string,
): RawBuilder<unknown> {
  const columns = columnsOf(kinds);
  const lists = columns.map((column) => {
    const values = rows.map((row) => row[column]);
    return sql`cast(${values} as ${sql.raw(kinds[column])}[])`;
  });
  return sql`unnest(${sql.join(lists)}) as ${sql.ref(name)} (${columnNames(kinds)})`;
}

/** The names of the columns, in the order of the table. */
export function columnNames<Column extends string>(kinds: ColumnKinds<Column>): RawBuilder<unknown> {
  return sql.join(columnsOf(kinds).map((column) => sql.ref(column)));
}

/** A list for a statement of SQLite, as one value: `where id in` and this. */
export function listed<Value extends string | number>(values: readonly Value[]): RawBuilder<Value> {
  return sql`(select value from json_each(${JSON.stringify(values)}))`;
}

/** A list of texts as the one value that a prepared query takes. */
export type ListValue = string | readonly string[];

export function asListValue(db: Queries, values: readonly string[]): ListValue {
  return isPostgres(db) ? values : JSON.stringify(values);
}

/** The condition on a list for a prepared query: `where id` and this, with the slot of the list. */
export function isInList(db: Queries, slot: unknown): RawBuilder<unknown> {
  return isPostgres(db) ? sql`= any(cast(${slot} as text[]))` : sql`in (select value from json_each(${slot}))`;
}

/** Makes what inserts rows on SQLite, one after the other: it is in this process, so none of them is waited for. */
export function prepareInsert<Column extends string>(
  table: string,
  columns: readonly Column[],
  onConflict: RawBuilder<unknown> = sql``,
): (db: Queries, rows: readonly Readonly<Record<Column, string | number | null>>[]) => Promise<void> {
  const insert = prepareQuery<Record<Column, string | number | null>, never>(
    (slot) => sql`
      insert into ${sql.table(table)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values (${sql.join(columns.map(slot))}) ${onConflict}`,
  );
  return async (db, rows) => {
    for (const row of rows) await insert.run(db, row);
  };
}

/** Makes what adds rows; those whose key is there already are changed. */
export function prepareUpsert<Column extends string>(
  table: string,
  kinds: ColumnKinds<Column>,
  { key, changed }: { key: readonly Column[]; changed: readonly Column[] },
): (db: Queries, rows: readonly Readonly<Record<Column, string | number | null>>[]) => Promise<void> {
  const onConflict = sql`on conflict (${sql.join(key.map((column) => sql.ref(column)))}) do update set ${sql.join(
    changed.map((column) => sql`${sql.ref(column)} = excluded.${sql.ref(column)}`),
  )}`;
  const upsertEach = prepareInsert(table, columnsOf(kinds), onConflict);
  return async (db, rows) => {
    if (!isPostgres(db)) return upsertEach(db, rows);
    await sql`
      insert into ${sql.table(table)} (${columnNames(kinds)})
      select ${columnNames(kinds)} from ${rowsAsTable(kinds, rows, "given")} ${onConflict}`.execute(db);
  };
}

/** The names of the columns as they are written in the code. */
export function columnsOf<Column extends string>(kinds: ColumnKinds<Column>): Column[] {
  return Object.keys(kinds).filter((column): column is Column => column in kinds);
}
