import type { Queries } from "../../database/database";

/** True if the moment has come at which a mute ends. */
export async function hasExpiredMutes(db: Queries, now: number): Promise<boolean> {
  const row = await db
    .selectFrom("protected_entities")
    .select("id")
    .where("muted_until", "<=", now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the mutes whose moment has come. */
export async function unmuteEntities(db: Queries, now: number): Promise<void> {
  await db.updateTable("protected_entities").set({ muted_until: null }).where("muted_until", "<=", now).execute();
}
