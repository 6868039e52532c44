import { setTimeout as pause } from "node:timers/promises";
import { sql } from "kysely";
import { inspectDatabase, sqlitePath } from "../open-database";

const looks = 5;
/** Between looks, in milliseconds: a session of ours that was closed a moment ago is gone by then. */
const betweenLooks = 200;

/** Number of sessions of others in a PostgreSQL database, such as a service that was not stopped; otherwise 0. */
export async function countOtherSessions(url: string): Promise<number> {
  if (sqlitePath(url) !== undefined) return 0;
  return inspectDatabase(url, async (db) => {
    for (let look = 1; ; look++) {
      const { rows } = await sql<{ count: number }>`
        select count(*)::int as count from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and application_name = current_setting('application_name')`.execute(db);
      const count = rows[0]?.count ?? 0;
      if (count === 0 || look === looks) return count;
      await pause(betweenLooks);
    }
  });
}
