import type { Queries } from "../database";

/** Notes that many tasks have changed at once, or are seen from elsewhere: every stream of tasks begins again. */
export async function noteBulkChange(db: Queries, now: number): Promise<void> {
  await db.insertInto("task_changes").values({ task_id: null, created_at: 0, before: null, changed_at: now }).execute();
}
