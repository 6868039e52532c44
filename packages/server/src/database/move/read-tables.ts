import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";

/** The names of tables, with the names of their columns. */
export type Tables = ReadonlyMap<string, readonly string[]>;

const inPostgres = sql<Found>`
  select pg_class.relname as table_name, pg_attribute.attname as column_name
  from pg_class
  join pg_namespace on pg_namespace.oid = pg_class.relnamespace
  join pg_attribute on pg_attribute.attrelid = pg_class.oid
  where pg_namespace.nspname = current_schema() and pg_class.relkind in ('r', 'p') and not pg_class.relispartition
    and pg_attribute.attnum > 0 and not pg_attribute.attisdropped
  order by pg_class.relname, pg_attribute.attnum`;
const inSqlite = sql<Found>`
  select tables.name as table_name, columns.name as column_name
  from sqlite_schema as tables join pragma_table_info(tables.name) as columns
  where tables.type = 'table' and substr(tables.name, 1, 7) <> 'sqlite_'
  order by tables.name, columns.cid`;

interface Found {
  table_name: string;
  column_name: string;
}

/** Every table that a database has. Partitions are parts of one and are not named. */
export async function readTables(db: Queries): Promise<Tables> {
  const { rows } = await (isPostgres(db) ? inPostgres : inSqlite).execute(db);
  const tables = new Map<string, string[]>();
  for (const { table_name, column_name } of rows) {
    tables.set(table_name, [...(tables.get(table_name) ?? []), column_name]);
  }
  return tables;
}

/** The first of these tables that has a row. */
export async function findFilledTable(db: Queries, names: readonly string[]): Promise<string | undefined> {
  for (const name of names) {
    const { rows } = await sql`select 1 from ${sql.table(name)} limit 1`.execute(db);
    if (rows.length > 0) return name;
  }
  return undefined;
}
