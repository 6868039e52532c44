import { type Kysely, sql } from "kysely";
import type { Queries } from "../database";
import { takeLock } from "../locks";
import type { Schema } from "../schema";
import { forgetTransactionIds } from "../tasks/transaction-ids";

const serverIdentity = sql<{ identity: string }>`
  select (pg_control_system()).system_identifier::text as identity`;
const storedIdentity = sql<{ identity: string }>`select cluster as identity from installation`;

/**
 * Returns what identifies the server. Its transaction ids mean nothing on another one, so those that were restored from a dump of
 * another server are forgotten.
 */
export async function ownTransactionIds(db: Kysely<Schema>): Promise<string> {
  const identity = (await serverIdentity.execute(db)).rows[0]?.identity ?? "";
  const isForeign = async (queries: Queries) =>
    (await storedIdentity.execute(queries)).rows.some((row) => row.identity !== identity);
  if (await isForeign(db)) {
    await db.transaction().execute(async (queries) => {
      await takeLock(queries, "changes");
      // Another process may have done so meanwhile.
      if (!(await isForeign(queries))) return;
      await forgetTransactionIds(queries);
      await sql`update installation set cluster = ${identity}`.execute(queries);
    });
  }
  return identity;
}
