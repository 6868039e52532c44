import { type Kysely, PostgresAdapter, SqliteAdapter } from "kysely";

/** Adapter of Kysely for SQLite with what we know of it besides. */
export class OurSqliteAdapter extends SqliteAdapter {
  /** SQLite can change tables inside a transaction, which makes a migration all or nothing. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Tells if queries go to PostgreSQL. */
export function isPostgres<Tables>(db: Kysely<Tables>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
