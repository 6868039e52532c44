import type { Kysely } from "kysely";
import { createHistory } from "../watch-history";

/** Which hours of history were changed, and in which order, so that sums of all others stay remembered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createHistory(db);
}
