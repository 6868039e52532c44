import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type Kysely, Migrator, sql } from "kysely";
import { isPostgres } from "../adapter";
import { DatabaseBroken, DatabaseUnavailable, UnusableDatabase } from "../errors";
import type { Schema } from "../schema";
import { type SchemaSteps, schemaSteps, statementsOf } from "../schema-steps";

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
  /** Way out of a database of a newer version other than to start that version. */
  wayBack?: string;
}

/** Counts what a step has changed before the next one begins: PostgreSQL alters no table whose triggers are still to run. */
const runTriggers = ["set constraints all immediate", "set constraints all deferred"];

/** Brings the tables up to date. Processes that start at once wait for one another: all of it is one transaction. */
export async function migrate(
  db: Kysely<Schema>,
  steps: SchemaSteps,
  { onPending, onMigrated, wayBack }: MigrateOptions = {},
): Promise<void> {
  const kind = isPostgres(db) ? "postgres" : "sqlite";
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(steps).map(([name, step]) => [
            name,
            {
              async up(target: Kysely<unknown>) {
                const statements = statementsOf(step[kind]);
                if (kind === "postgres") statements.push(...runTriggers);
                for (const statement of statements) await sql.raw(statement).execute(target);
              },
            },
          ]),
        ),
    },
  });
  const applied = await migrator.getMigrations();
  const made = applied.filter((migration) => migration.executedAt);
  const isOld = made.length > 0;
  if (isOld) await refuseNewerSchema(db, wayBack, steps);
  if (made.length === applied.length) return;
  if (isOld) await onPending?.({ from: made.at(-1)?.name ?? "", to: applied.at(-1)?.name ?? "" });
  const { error } = await migrator.migrateToLatest();
  if (!error && isOld) onMigrated?.();
  if (error) {
    await refuseNewerSchema(db, wayBack, steps).catch((failure) => {
      // If not even that can be read, the first error is the one to report.
      if (failure instanceof UnusableDatabase) throw failure;
    });
    if (error instanceof DatabaseUnavailable || error instanceof DatabaseBroken) throw error;
    const reason = errorMessage(error);
    throw new UnusableDatabase(
      `The database cannot be brought up to date (${reason}). Name an empty one or one of Holdfast's with database_url, or restore a backup.`,
      { cause: error },
    );
  }
}

/** Refuses tables that a newer version has changed. */
export async function refuseNewerSchema(
  db: Kysely<Schema>,
  wayBack = "restore an older database",
  steps = schemaSteps,
): Promise<void> {
  const unknown = (await appliedMigrations(db)).filter((name) => !(name in steps));
  if (unknown.length > 0) {
    throw new UnusableDatabase(
      `The database was made by a newer version of Holdfast (it has the migration ${unknown.join(", ")}). Start that version, or ${wayBack}.`,
    );
  }
}

/** True if a migration has yet to be made. */
export async function isOutOfDate(db: Kysely<Schema>, steps = schemaSteps): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return Object.keys(steps).some((name) => !applied.includes(name));
}

async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .withTables<{ kysely_migration: { name: string } }>()
    .selectFrom("kysely_migration")
    .select("name")
    .execute();
  return rows.map((row) => row.name);
}
