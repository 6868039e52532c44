import { type Kysely, type MigrationLockOptions, PostgresAdapter, SqliteAdapter } from "kysely";
import type { Queries } from "./database";

/** What Kysely knows of a PostgreSQL database, and what we know of it besides. */
export class OurPostgresAdapter extends PostgresAdapter {
  readonly hasPartitions: boolean;

  constructor({ hasPartitions }: { hasPartitions: boolean }) {
    super();
    this.hasPartitions = hasPartitions;
  }

  /** Databases that spread tables on their own know no such lock. */
  override async acquireMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    if (this.hasPartitions) await super.acquireMigrationLock(db, options);
  }

  override async releaseMigrationLock(db: Kysely<unknown>, options: MigrationLockOptions): Promise<void> {
    if (this.hasPartitions) await super.releaseMigrationLock(db, options);
  }
}

/** What Kysely knows of SQLite, and what we know of it besides. */
export class OurSqliteAdapter extends SqliteAdapter {
  /** SQLite can change tables inside a transaction, which makes a migration all or nothing. */
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** Whether queries go to PostgreSQL, or to a database that speaks its protocol. */
export function isPostgres(db: Queries): boolean {
  return db.getExecutor().adapter instanceof OurPostgresAdapter;
}

/** Whether the tasks are kept in one partition for each month. */
export function hasPartitions(db: Queries): boolean {
  const { adapter } = db.getExecutor();
  return adapter instanceof OurPostgresAdapter && adapter.hasPartitions;
}
