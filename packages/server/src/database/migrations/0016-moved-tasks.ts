import type { Kysely } from "kysely";
import { watchMovedTasks } from "./watch-history";

/** Notes which tasks get another entity or unit, so that those of an entity need not be counted again when others are added. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await watchMovedTasks(db);
}
