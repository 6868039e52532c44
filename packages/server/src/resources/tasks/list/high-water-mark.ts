import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf } from "../../../lists/comparisons";
import type { ListScope, ListSnapshot } from "../../../lists/list-source";
import { unitConditions } from "./conditions";

export type HighWaterMark = Pick<ListSnapshot, "watermark" | "transactions">;

/**
 * The number of open transactions that a cursor names. If there are more, those that began first are left out: what they add to
 * the unit may appear in a walk that goes on meanwhile.
 */
const maxOpen = 100;
const openTransactions = sql`
  select xid::text::bigint as xid from pg_snapshot_xip(pg_current_snapshot()) as xid
  where xid::text::bigint < newest.xid order by xid desc limit ${sql.lit(maxOpen)}`;

/**
 * Reads which tasks of a unit have arrived. SQLite numbers them in the order of commits. On PostgreSQL, several transactions add
 * tasks at the same time: a walk does not see those that were open when it began, although their ids are lower than the newest.
 */
export async function readHighWaterMark(db: Queries, scope: ListScope): Promise<HighWaterMark> {
  const units = unitConditions(scope);
  const newest = sql`
    select coalesce(max(last_seq), 0) as watermark, coalesce(max(last_xid), 0) as xid
    from task_totals where ${allOf(units)}`;
  if (!isPostgres(db)) {
    // Of all units together the tasks themselves know it.
    const asked = units.length === 0 ? sql`select coalesce(max(seq), 0) as watermark from tasks not indexed` : newest;
    return { watermark: (await sql<HighWaterMark>`${asked}`.execute(db)).rows[0]?.watermark ?? 0 };
  }
  const { rows } = await sql<{ watermark: number; transactions: string }>`
    select watermark, concat_ws(',', nullif(xid, 0),
      (select string_agg(xid::text, ',') from (${openTransactions}) as open)) as transactions
    from (${newest}) as newest`.execute(db);
  const { watermark = 0, transactions = "" } = rows[0] ?? {};
  return { watermark, ...(transactions === "" ? {} : { transactions: transactions.split(",").map(Number) }) };
}

/** Returns the condition that a task had arrived. */
export function hasArrived(db: Queries, { watermark, transactions: [newest = 0, ...open] = [] }: HighWaterMark) {
  if (!isPostgres(db)) return sql<SqlBool>`seq <= ${watermark}`;
  // A list is one value, so the statement is the same for any number of transactions.
  return sql<SqlBool>`xid <= ${newest} and xid <> all(cast(${`{${open.join(",")}}`} as bigint[]))`;
}
