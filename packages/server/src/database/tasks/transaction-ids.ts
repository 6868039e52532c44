import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";

const ownTransaction = sql`pg_current_xact_id()::text::bigint`;

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
