import type { NameLinks } from "@holdfast/api/conventions/hal";
import type { Queries } from "../../database/database";
import type { ChangeCall } from "../change";
import { lowestAbove } from "../organizational-units/store";
import type { UserGrant } from "./grants";
import { presentUserV2 } from "./present";

/** The unit that the audit trail tells of a change in: the lowest one that has the acted-in unit and all changed grants. */
export async function auditedUnit(
  { db, scope }: ChangeCall,
  changedGrants: readonly Pick<UserGrant, "organizational_unit_id">[],
): Promise<string> {
  const units = [scope.unitId, ...changedGrants.map((grant) => grant.organizational_unit_id)];
  return lowestAbove(db, units);
}

/**
 * A user for the audit trail of a unit, whoever makes the change: with all roles held there and below, and none of those
 * held elsewhere. Nothing where there is no such user.
 */
export async function auditedUser(db: Queries, id: string, unitId: string, nameLinks: NameLinks = (links) => links) {
  const row = await db
    .selectFrom("users")
    .select(["id", "email", "full_name", "is_confirmed", "is_enabled", "inviter_id", "created_at", "last_active_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!row) return undefined;
  const grants = await grantsOf(db, id)
    .innerJoin("organizational_unit_paths", "unit_id", "organizational_unit_id")
    .where("ancestor_id", "=", unitId)
    .execute();
  return presentUserV2({ ...row, grants }, nameLinks);
}

/** All that a user holds, in the order in which it is shown. */
export function grantsOf(db: Queries, userId: string) {
  return db
    .selectFrom("role_grants")
    .select(["role_id", "organizational_unit_id"])
    .where("user_id", "=", userId)
    .orderBy("role_id")
    .orderBy("organizational_unit_id");
}
