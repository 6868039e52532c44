import type { Kysely } from "kysely";
import { watchMovedTasksOfLanes } from "../watch-history";

/** Notes in PostgreSQL, too, which tasks get another entity or unit or are removed, so that added ones can be counted alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await watchMovedTasksOfLanes(db);
}
