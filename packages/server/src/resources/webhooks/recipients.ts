import { loadRoles } from "../../access/caller";
import { permissionsAlong } from "../../access/rights";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";

/** A person whom mail may be sent to. */
export interface Recipient {
  id: string;
  email: string;
  time_zone: string;
}

/**
 * Those of some users who may see the tasks of a unit now. An address that its user has not confirmed is left out: it could
 * be that of a stranger.
 */
export async function findRecipients(db: Queries, unitId: string, userIds: readonly string[]): Promise<Recipient[]> {
  if (userIds.length === 0) return [];
  const path = await unitAndAbove(db, unitId);
  const users = await db
    .selectFrom("users")
    .select(["id", "email", "time_zone"])
    .where("id", "in", userIds)
    .where("is_enabled", "=", 1)
    .where("is_confirmed", "=", 1)
    .orderBy("id")
    .execute();
  const recipients: Recipient[] = [];
  for (const user of users) {
    const permissions = permissionsAlong({ roles: await loadRoles(db, user.id) }, path);
    if (permissions.has("tasks:read")) recipients.push(user);
  }
  return recipients;
}
