import { sql } from "kysely";
import type { Database, Queries } from "../database";
import type { StoredStats } from "../stats";

/** Asked apart: who may not list the log is refused the whole statement. */
const mayListLog = "select has_function_privilege('pg_ls_waldir()', 'execute') as value";

/** Asks for the sizes. What this user may not know, or the server does not, is left out. */
export async function readSizes(snapshot: Database["snapshot"]): Promise<StoredStats> {
  const ask = <Value>(question: string) =>
    snapshot((db) => readValue<Value>(db, question)).catch((): undefined => undefined);
  const size = await ask<number>("select pg_database_size(current_database()) as value");
  const isAllowed = await ask<boolean>(mayListLog);
  const wal = isAllowed ? await ask<number>("select sum(size) as value from pg_ls_waldir()") : undefined;
  return { size, wal, backedUpAt: undefined };
}

async function readValue<Value>(db: Queries, question: string): Promise<Value | undefined> {
  const { rows } = await sql.raw<{ value: Value }>(question).execute(db);
  return rows[0]?.value;
}
