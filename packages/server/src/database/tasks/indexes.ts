import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Database, Queries } from "../database";

/** Columns that tasks are indexed by, each in list order. New tasks go everywhere into these indexes, not just to their ends. */
const scatteredColumns = [
  "organizational_unit_id",
  "category",
  "type",
  "status",
  "entity_key",
  "outcome",
  "error_code",
  "monitor_id",
  "operation",
] as const;
/** Most tasks have no error and no monitor, and cost nothing here. */
const sparseColumns: readonly string[] = ["error_code", "monitor_id"];
/** The operation of a task, which is its type unless it has another one. There is an index on exactly this. */
export const operationOfTask = sql<string>`coalesce(operation, type)`;
type ScatteredColumn = (typeof scatteredColumns)[number];

/** The names of those indexes. A load that was cut off in the middle leaves them missing. */
export const scatteredIndexNames = scatteredColumns.map((column) => `tasks_by_${column}`);

/** Two numbers that no other program is likely to lock, while an index is built. */
const indexLock = sql`select pg_advisory_xact_lock(4831, 3)`;

/** Builds those indexes that are missing. */
export async function buildScatteredIndexes(db: Queries): Promise<void> {
  for (const column of scatteredColumns) {
    if (db.isTransaction) await buildIndex(db, column);
    else if (await isMissing(db, column)) await db.transaction().execute((change) => buildIndex(change, column));
  }
}

async function buildIndex(db: Queries, column: ScatteredColumn): Promise<void> {
  // Two who build the same at once do not see each other's, and then one of them fails.
  if (isPostgres(db)) await indexLock.execute(db);
  const empty = db.schema.createIndex(`tasks_by_${column}`).ifNotExists().on("tasks");
  const index =
    column === "operation"
      ? empty.expression(operationOfTask).columns(["created_at", "id"])
      : empty.columns([column, "created_at", "id"]);
  await (sparseColumns.includes(column) ? index.where(sql.ref(column), "is not", null) : index).execute();
}

/** Asked first, because building what is there already would wait for everyone who writes tasks. */
async function isMissing(db: Queries, column: ScatteredColumn): Promise<boolean> {
  const { rows } = await sql`select from pg_indexes where indexname = ${`tasks_by_${column}`}`.execute(db);
  return rows.length === 0;
}

/** Called with how many of the indexes are built. */
export type OnIndexing = (built: number, all: number) => void;

/** Runs a big load without the indexes that slow it down, and builds them afterwards, which takes far less in all. */
export async function loadBeforeIndexing(
  database: Database,
  load: () => Promise<void>,
  onIndexing: OnIndexing = () => {},
): Promise<void> {
  await database.change(dropScatteredIndexes);
  try {
    await load();
  } finally {
    await indexAfterLoading(database, onIndexing);
  }
}

/** Removes those indexes before a big load. */
export async function dropScatteredIndexes(db: Queries): Promise<void> {
  for (const name of scatteredIndexNames) await db.schema.dropIndex(name).ifExists().execute();
}

/** Builds the indexes that are missing after a big load, one at a time: others get their turn to write in between. */
export async function indexAfterLoading(database: Database, onIndexing: OnIndexing): Promise<void> {
  for (const [built, column] of scatteredColumns.entries()) {
    onIndexing(built, scatteredColumns.length);
    await database.change((db) => buildIndex(db, column), { kind: "maintenance", isLong: true });
  }
  await database.change(refreshStatistics, { kind: "maintenance", isLong: true });
}

/**
 * Lets the database look at the tasks and the tree of units, so that it plans well. PostgreSQL does so by itself for each partition, but never
 * for all of them together. SQLite plans well without.
 */
export async function refreshStatistics(db: Queries): Promise<void> {
  if (!isPostgres(db)) return;
  await sql`analyze tasks, entities, task_totals, task_days, task_quarters, entity_weeks, organizational_unit_paths`.execute(
    db,
  );
}

/** Refreshes the statistics, unless it was done within a day or is being done. */
export async function refreshOldStatistics(db: Queries): Promise<void> {
  if (!isPostgres(db)) return;
  const { rows } = await sql`
    select from pg_stat_user_tables where relname = 'tasks' and pg_try_advisory_xact_lock(4831, 5)
    and coalesce(last_analyze, to_timestamp(0)) < now() - interval '1 day'`.execute(db);
  if (rows.length > 0) await refreshStatistics(db);
}
