import { sql } from "kysely";
import { hasPartitions, isPostgres } from "../adapter";
import type { Queries } from "../database";

/** Two numbers that no other program is likely to lock. */
const changeLock = sql`select pg_advisory_xact_lock(4831, 1)`;
/**
 * A row that all have, where there are no such locks. It is not waited for: what is read after waiting would be older than
 * what the one before has written, and could not be serialized with it.
 */
const changeRow = sql`select id from installation where id = 1 for update nowait`;

/**
 * Waits for other changes, and blocks new ones until the end of the transaction. SQLite does that itself.
 * To be called before writing shared rows: the holder of the lock may be waiting for one of them.
 */
export async function lockChanges(db: Queries): Promise<void> {
  if (isPostgres(db)) await (hasPartitions(db) ? changeLock : changeRow).execute(db);
}
