import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";

const ownTransaction = sql`pg_current_xact_id()::text::bigint`;

/** Transactions of other databases of the server. Each holds a lock on its id, which everyone may see. */
const foreignTransactions = sql`
  select transactionid from pg_locks join pg_stat_activity using (pid)
  where locktype = 'transactionid' and granted and mode = 'ExclusiveLock' and datname <> current_database()`;

/**
 * The id below which no transaction of this database was open when the snapshot of the statement was taken. A snapshot lists the
 * transactions of all databases of the server; those that are known to belong to others cannot commit anything here.
 */
export const oldestOpenTransaction = sql`(
  select coalesce(min(xid::text::bigint), pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
  from pg_snapshot_xip(pg_current_snapshot()) as xid where xid::xid not in (${foreignTransactions}))`;

/**
 * Lets all tasks count as added long ago, because they come from another database, whose transaction ids mean nothing here. To make
 * the column anew takes no time, however many tasks there are. A place that a stream had in this database before is not kept.
 */
export async function forgetTransactionIds(db: Queries): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`alter table tasks drop column xid, add column xid bigint not null default 0`.execute(db);
  await sql`alter table tasks alter column xid set default ${ownTransaction}`.execute(db);
  await sql`update task_totals set last_xid = 0`.execute(db);
  await sql`update task_changes set xid = ${ownTransaction}`.execute(db);
}
