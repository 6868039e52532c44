import { Kysely } from "kysely";
import { type MigrateOptions, migrate } from "../common/migrate";
import { refuseUnfinishedMove } from "../common/unfinished-move";
import type { OnMigration } from "../database";
import type { Schema } from "../schema";
import type { SchemaSteps } from "../schema-steps";
import { buildScatteredIndexes } from "../tasks/indexes";
import { postgresDialect } from "./dialect";
import { explainToOperator } from "./errors";
import { guardPostgres, guardTables, readPostgresFacts } from "./guard";
import { createServerDiscovery, type Route } from "./server-discovery";
import { ownTransactionIds } from "./transaction-ids";
import { withoutPassword } from "./url";

export interface PrepareOptions {
  url: string;
  /** True if rows are still being moved into it, so that it need not be whole. */
  isMoveTarget: boolean;
  /** The steps of the schema; those of this version unless others are given. */
  steps: SchemaSteps;
  onMigration: OnMigration;
}

/** The connect timeout while no request waits yet, in milliseconds. */
export const unhurriedConnectTimeoutMs = 3_000;

/**
 * Makes sure that the server is one to rely on and that its tables are up to date, however long that takes. Returns what
 * identifies the server.
 */
export async function prepare({ url, isMoveTarget, steps, onMigration }: PrepareOptions): Promise<string> {
  let route: Route | undefined;
  try {
    ({ route } = await createServerDiscovery(url, unhurriedConnectTimeoutMs).findPrimary());
    const pool = route.openPool({ connections: 1, statementTimeout: 0 });
    guardPostgres(await readPostgresFacts(pool));
    await guardTables(pool);
    const db = new Kysely<Schema>({ dialect: postgresDialect(() => pool.connect()) });
    if (!isMoveTarget) await refuseUnfinishedMove(db);
    await migrate(db, steps, announceMigration(url, onMigration));
    if (!isMoveTarget) await buildScatteredIndexes(db);
    return await ownTransactionIds(db);
  } catch (error) {
    throw explainToOperator(error, url);
  } finally {
    route?.cut();
  }
}

function announceMigration(url: string, onMigration: OnMigration): MigrateOptions {
  return {
    onPending: async ({ from, to }) => {
      const [, user] = /\/\/([^:@/]+)[:@]/.exec(url) ?? [];
      const login = user === undefined ? "" : `--username=${user} `;
      const command = `pg_dump --format=custom --file=holdfast.dump ${login}${withoutPassword(url)}`;
      const detail = `from ${from} to ${to}; Holdfast makes no copy of it. Before an upgrade, run: ${command}`;
      onMigration("info", "The database is of an older version, so it is migrated.", detail);
    },
    onMigrated: () => onMigration("info", "The database was migrated."),
  };
}
