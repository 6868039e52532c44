import { lowestAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { ChangeCall, Changed } from "../../operations/change";
import type { UserGrant } from "./grants";
import { presentUserV2 } from "./present";

/** What the audit trail tells of a change. */
type Told = Pick<Changed, "before" | "after" | "auditViews"> & { unitId: string };

/**
 * Looks at a user before a change, and gives what the audit trail tells of it once it is made. All of it is told in the
 * lowest unit that has the acted-in one and all that is concerned; and each unit that is concerned is told its own part,
 * so that nobody gives rights somewhere without those hearing of it who look after it.
 */
export async function watchUser(
  { db, scope }: ChangeCall,
  id: string,
  concerned: readonly Pick<UserGrant, "organizational_unit_id">[],
): Promise<() => Promise<Told>> {
  const units = [...new Set(concerned.map((grant) => grant.organizational_unit_id))];
  const unitId = await lowestAbove(db, [scope.unitId, ...units]);
  const others = units.filter((unit) => unit !== unitId);
  const look = async () => {
    const seen = new Map<string, Awaited<ReturnType<typeof auditedUser>>>();
    for (const unit of [unitId, ...others]) seen.set(unit, await auditedUser(db, id, unit));
    // Where somebody holds nothing, they are not seen.
    const part = (unit: string) => (seen.get(unit)?.access_control_configuration.length ? seen.get(unit) : undefined);
    return { whole: seen.get(unitId), part };
  };
  const before = await look();
  return async () => {
    const after = await look();
    const auditViews = others.map((unit) => ({ unitId: unit, before: before.part(unit), after: after.part(unit) }));
    return { unitId, before: before.whole, after: after.whole, auditViews };
  };
}

/**
 * A user for the audit trail of a unit, whoever makes the change: with all roles held there and below, and none of those
 * held elsewhere. Nothing where there is no such user.
 */
async function auditedUser(db: Queries, id: string, unitId: string) {
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
  return presentUserV2({ ...row, grants });
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
