import type { Database as File } from "bun:sqlite";
import { isOutOfDate, type PendingMigration } from "../common/migrate";
import type { OnMigration } from "../database";
import type { SchemaSteps } from "../schema-steps";
import { backUpBeforeUpgrade, upgradeBackupPath } from "./backup-before-upgrade";
import { inspectSqlite } from "./inspect";

interface PrepareOptions {
  /** True if it is copied before it is migrated. */
  isBackedUp: boolean;
  steps: SchemaSteps;
  onMigration: OnMigration;
}

/** Copies the database as it is before a migration, and says so. */
export async function prepareMigration(
  file: File,
  path: string,
  { from, to }: PendingMigration,
  { isBackedUp, onMigration, steps }: PrepareOptions,
): Promise<void> {
  const fromTo = `from ${from} to ${to}`;
  const command = `holdfast database backup --database-url sqlite:${path} <file>`;
  if (!isBackedUp) {
    const detail = `${fromTo}; no copy is made, because upgrade_backup is false. Before an upgrade, run: ${command}`;
    onMigration("info", "The database is of an older version, so it is migrated.", detail);
    return;
  }
  onMigration(
    "info",
    "The database is of an older version, so it is copied and then migrated.",
    `${fromTo}; the copy is ${upgradeBackupPath(path)}`,
  );
  const { size } = file
    .query<{ size: number }, []>("select page_count * page_size as size from pragma_page_count, pragma_page_size")
    .get() ?? { size: 0 };
  const problem = await backUpBeforeUpgrade({
    source: path,
    size,
    isOfBefore: (copy) => inspectSqlite(copy, (db) => isOutOfDate(db, steps)),
  });
  if (problem === undefined) return;
  const detail = `${problem}. Before the next upgrade, make room, or run: ${command}`;
  onMigration("warn", "The database was not copied before its migration.", detail);
}
