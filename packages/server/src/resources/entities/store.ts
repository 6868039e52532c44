import type { Queries } from "../../database/database";
import type { EntityRow } from "../../database/protection/entity-rows";

/** Mutes or retires a protected entity, or ends that. What is not given stays. */
export async function setAttention(db: Queries, id: string, changes: Partial<EntityRow>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await db.updateTable("protected_entities").set(changes).where("id", "=", id).execute();
}
