import { type Expression, type RawBuilder, type SqlBool, sql } from "kysely";
import type { Schema } from "../database/schema";
import type { ListSnapshot, Snapshot } from "./list-source";

/** Number of rows that one statement reads: a few milliseconds' work. */
export const defaultRowsPerStep = 5_000;

/** A table whose rows are numbered as they arrive, and which of them are meant. */
export interface CountedTable {
  table: keyof Schema;
  arrival: RawBuilder<unknown>;
  /** Condition of what the caller may see from the unit. */
  visible: Expression<SqlBool>;
  /** Condition of the filter. */
  matching: Expression<SqlBool>;
  rowsPerStep?: number | undefined;
}

/**
 * Counts rows, some at a time, so that a table which has become large keeps no other request waiting. Numbers may have gaps of any
 * size, so a step is measured in rows: on SQLite and on PostgreSQL each change of a row by an upsert leaves a number out.
 */
export async function countRows(
  { db, work }: Snapshot,
  { table, arrival, visible, matching, rowsPerStep = defaultRowsPerStep }: CountedTable,
): Promise<ListSnapshot> {
  const from = sql.table(table);
  const listSnapshot = { total: 0, watermark: 0, furthest: null };
  for (let start = 0, end: number | undefined = 0; end !== undefined; start = end ?? start) {
    if (start > 0) await work.step();
    const ends = await sql<{ number: number }>`
      select ${arrival} as number from ${from} where ${arrival} > ${start}
      order by ${arrival} limit 1 offset ${rowsPerStep - 1}`.execute(db);
    end = ends.rows[0]?.number;
    // Both bounds, always: without them the databases would scan the table.
    const step = sql<SqlBool>`${arrival} > ${start} and ${arrival} <= ${end ?? Number.MAX_SAFE_INTEGER}`;
    const { rows } = await sql<{ total: number; watermark: number | null }>`
      select (select count(*) from ${from} where ${step} and ${matching}) as total,
        (select max(${arrival}) from ${from} where ${step} and ${visible}) as watermark`.execute(db);
    listSnapshot.total += rows[0]?.total ?? 0;
    listSnapshot.watermark = rows[0]?.watermark ?? listSnapshot.watermark;
  }
  return listSnapshot;
}
