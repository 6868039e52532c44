import { type RawBuilder, sql } from "kysely";

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

function columnsOf<Column extends string>(kinds: ColumnKinds<Column>): Column[] {
  return Object.keys(kinds).filter((column): column is Column => column in kinds);
}
