import type { Kysely } from "kysely";
import { watchMovedTasksInPostgres, watchNewEntities } from "./watch-history";

/** Notes when entities are added, so that their names need not be looked for; in PostgreSQL also which tasks are moved or removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await watchNewEntities(db);
  await watchMovedTasksInPostgres(db);
}
