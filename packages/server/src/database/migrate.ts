import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type Kysely, Migrator } from "kysely";
import type { Columns } from "./columns";
import { DatabaseAway, DatabaseBroken, UnusableDatabase } from "./errors";
import * as foundation from "./migrations/0001-foundation";
import * as access from "./migrations/0002-access";
import * as signInAddresses from "./migrations/0003-sign-in-addresses";
import * as rotatedTokens from "./migrations/0004-rotated-tokens";
import * as domainVersions from "./migrations/0005-domain-versions";
import * as servingProcesses from "./migrations/0006-serving-processes";
import * as taskOutcomes from "./migrations/0007-task-outcomes";
import * as taskLeases from "./migrations/0008-task-leases";
import * as taskLogs from "./migrations/0009-task-logs";
import * as taskChanges from "./migrations/0010-task-changes";
import * as monitors from "./migrations/0011-monitors";
import * as protectedEntities from "./migrations/0012-protected-entities";
import * as webhooks from "./migrations/0013-webhooks";
import * as unwatchedTimes from "./migrations/0014-unwatched-times";
import * as lanes from "./migrations/0015-lanes";
import * as movedTasks from "./migrations/0016-moved-tasks";
import * as newEntities from "./migrations/0017-new-entities";
import * as operations from "./migrations/0018-operations";
import * as tokenAddresses from "./migrations/0020-token-addresses";
import * as messages from "./migrations/0021-messages";
import * as entityWeeks from "./migrations/0022-entity-weeks";
import type { Schema } from "./schema";
import { countChangesNow } from "./watch-table";

const migrations = {
  "0001-foundation": foundation,
  "0002-access": access,
  "0003-sign-in-addresses": signInAddresses,
  "0004-rotated-tokens": rotatedTokens,
  "0005-domain-versions": domainVersions,
  "0006-serving-processes": servingProcesses,
  "0007-task-outcomes": taskOutcomes,
  "0008-task-leases": taskLeases,
  "0009-task-logs": taskLogs,
  "0010-task-changes": taskChanges,
  "0011-monitors": monitors,
  "0012-protected-entities": protectedEntities,
  "0013-webhooks": webhooks,
  "0014-unwatched-times": unwatchedTimes,
  "0015-lanes": lanes,
  "0016-moved-tasks": movedTasks,
  "0017-new-entities": newEntities,
  "0018-operations": operations,
  "0020-token-addresses": tokenAddresses,
  "0021-messages": messages,
  "0022-entity-weeks": entityWeeks,
};

/** A migration of a database that holds data. */
export interface PendingMigration {
  /** The last step that was made, and the last one that is to be made. */
  from: string;
  to: string;
}

export interface MigrateOptions {
  /** Called before a database is changed that an older version has made. */
  onPending?: (pending: PendingMigration) => Promise<void>;
  /** Called when that was done. */
  onMigrated?: () => void;
  /** What else can be done about a database of a newer version than to start that one. */
  wayBack?: string;
}

/** Brings the tables up to date. Processes that start at once wait for one another: all of it is one transaction. */
export async function migrate(
  db: Kysely<Schema>,
  columns: Columns,
  { onPending, onMigrated, wayBack }: MigrateOptions = {},
): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(migrations).map(([name, migration]) => [
            name,
            {
              async up(target: Kysely<unknown>) {
                await migration.up(target, columns);
                await countChangesNow(target);
              },
            },
          ]),
        ),
    },
  });
  const applied = await migrator.getMigrations();
  const made = applied.filter((migration) => migration.executedAt);
  const isOld = made.length > 0;
  if (isOld) await refuseNewerSchema(db, wayBack);
  if (made.length === applied.length) return;
  if (isOld) await onPending?.({ from: made.at(-1)?.name ?? "", to: applied.at(-1)?.name ?? "" });
  const { error } = await migrator.migrateToLatest();
  if (!error && isOld) onMigrated?.();
  if (error) {
    await refuseNewerSchema(db, wayBack).catch((failure) => {
      // If not even that can be read, the first error is the one to report.
      if (failure instanceof UnusableDatabase) throw failure;
    });
    if (error instanceof DatabaseAway || error instanceof DatabaseBroken) throw error;
    const reason = errorMessage(error);
    throw new UnusableDatabase(
      `The database cannot be brought up to date (${reason}). Name an empty one or one of Holdfast's with database_url, or restore a backup.`,
      { cause: error },
    );
  }
}

/** Refuses tables that a newer version has changed. */
export async function refuseNewerSchema(db: Kysely<Schema>, wayBack = "restore an older database"): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !(name in migrations));
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      `The database was made by a newer version of Holdfast (it has the migration ${unknown.join(", ")}). Start that version, or ${wayBack}.`,
    );
  }
}

/** Whether a migration has yet to be made. */
export async function isOutOfDate(db: Kysely<Schema>): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return Object.keys(migrations).some((name) => !applied.includes(name));
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return rows.map((row) => row.name);
}
