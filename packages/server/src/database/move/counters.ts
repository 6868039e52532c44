import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import type { PlannedTable } from "./moved-tables";

/** The highest number that each table has ever given to a row. One that was removed still counts: none is used again. */
export type Counters = ReadonlyMap<string, number>;

interface Numbered {
  name: string;
  column: string;
}

export async function readCounters(db: Queries, tables: readonly PlannedTable[]): Promise<Counters> {
  const counters = new Map<string, number>();
  for (const numbered of numberedIn(tables)) {
    counters.set(numbered.name, await (isPostgres(db) ? readSequence(db, numbered) : readAutoincrement(db, numbered)));
  }
  return counters;
}

/** Lets the database go on counting where the other one was. */
export async function writeCounters(db: Queries, tables: readonly PlannedTable[], counters: Counters): Promise<void> {
  for (const { name, column } of numberedIn(tables)) {
    const reached = counters.get(name) ?? 0;
    if (isPostgres(db)) {
      // A sequence begins at 1, and that nothing was given yet is another thing than that 1 was.
      await sql`select setval(pg_get_serial_sequence(${name}, ${column}), ${Math.max(1, reached)}::bigint, ${reached > 0}::boolean)`.execute(
        db,
      );
    } else {
      await sql`delete from sqlite_sequence where name = ${name}`.execute(db);
      if (reached > 0) await sql`insert into sqlite_sequence (name, seq) values (${name}, ${reached})`.execute(db);
    }
  }
}

function numberedIn(tables: readonly PlannedTable[]): Numbered[] {
  return tables.flatMap(({ name, numberedBy }) => (numberedBy === undefined ? [] : [{ name, column: numberedBy }]));
}

async function readSequence(db: Queries, { name, column }: Numbered): Promise<number> {
  const { rows } = await sql<{ sequence: string }>`
    select pg_get_serial_sequence(${name}, ${column}) as sequence`.execute(db);
  const state = await sql<{ reached: number }>`
    select case when is_called then last_value else 0 end as reached
    from ${sql.raw(rows[0]?.sequence ?? "")}`.execute(db);
  return state.rows[0]?.reached ?? 0;
}

async function readAutoincrement(db: Queries, { name }: Numbered): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${name}`.execute(db);
  return rows[0]?.seq ?? 0;
}
