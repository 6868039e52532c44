import type { Database, Queries } from "./database";

/** What tasks are indexed by, each in list order. New tasks go everywhere into these indexes, not just to their ends. */
const scatteredColumns = ["organizational_unit_id", "category", "type", "status", "entity_key"] as const;

/** The names of those indexes. A load that was cut off in the middle leaves them missing. */
export const scatteredIndexNames = scatteredColumns.map((column) => `tasks_by_${column}`);

/** Builds those indexes that are missing. */
export async function buildScatteredIndexes(db: Queries): Promise<void> {
  for (const column of scatteredColumns) await buildIndex(db, column);
}

async function buildIndex(db: Queries, column: (typeof scatteredColumns)[number]): Promise<void> {
  await db.schema
    .createIndex(`tasks_by_${column}`)
    .ifNotExists()
    .on("tasks")
    .columns([column, "created_at", "id"])
    .execute();
}

/** Runs a big load without the indexes that slow it down, and builds them afterwards, which takes far less in all. */
export async function loadBeforeIndexing(database: Database, load: () => Promise<void>): Promise<void> {
  await database.change(async (db) => {
    for (const name of scatteredIndexNames) await db.schema.dropIndex(name).ifExists().execute();
  });
  try {
    await load();
  } finally {
    // One at a time: others get their turn to write in between.
    for (const column of scatteredColumns) await database.change((db) => buildIndex(db, column));
  }
}
