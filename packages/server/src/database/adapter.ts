import { type Kysely, type MigrationLockOptions, PostgresAdapter, SqliteAdapter } from "kysely";
import type { Queries } from "./database";

/** A statement that is run again and again with other values. */
export interface PreparedStatement {
  sql: string;
  parameters: readonly unknown[];
  /**
   * Whether its plan fits all values, so that PostgreSQL makes it once: true only where one index gives the rows in order. For
   * others the values decide, and a plan for any of them can pass over a whole table.
   */
  hasOnePlan: boolean;
}

export type RunPrepared = <Row>(statement: PreparedStatement) => Promise<Row[]>;

/** What Kysely knows of a PostgreSQL database, and what we know of it besides. */
export class OurPostgresAdapter extends PostgresAdapter {
  readonly hasPartitions: boolean;
  readonly runPrepared: RunPrepared | undefined;

  constructor({ hasPartitions }: { hasPartitions: boolean }, runPrepared?: RunPrepared) {
    super();
    this.hasPartitions = hasPartitions;
    this.runPrepared = runPrepared;
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

/** What runs prepared statements, where queries go to a snapshot that keeps them; a plugin has to see them, too. */
export function preparedRunner(db: Queries): RunPrepared | undefined {
  const { adapter, plugins } = db.getExecutor();
  return adapter instanceof OurPostgresAdapter && plugins.length === 0 ? adapter.runPrepared : undefined;
}
