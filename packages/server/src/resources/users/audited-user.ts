import { lowestAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { ChangeCall, Changed } from "../../operations/change";
import type { UserGrant } from "./grants";
import { userColumns } from "./list-users";
import { presentUserV2 } from "./present";

/** The audit views of a change. */
type AuditedChange = Pick<Changed, "before" | "after" | "auditViews"> & { unitId: string };

/**
 * Reads a user before a change, and gives the audit views once it is made. The whole change is recorded in the
 * lowest unit above the context and all affected units; and each affected unit gets an event with its own part,
 * so that the administrators of a unit see every grant of rights in it.
 */
export async function watchUser(
  { db, scope }: ChangeCall,
  id: string,
  concerned: readonly Pick<UserGrant, "organizational_unit_id">[],
): Promise<() => Promise<AuditedChange>> {
  const units = [...new Set(concerned.map((grant) => grant.organizational_unit_id))];
  const unitId = await lowestAbove(db, [scope.unitId, ...units]);
  const others = units.filter((unit) => unit !== unitId);
  const look = async () => {
    const seen = new Map<string, Awaited<ReturnType<typeof auditedUser>>>();
    for (const unit of [unitId, ...others]) seen.set(unit, await auditedUser(db, id, unit));
    // A user is not visible in units without a grant.
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
 * A user for the audit trail of a unit, independent of the caller: with all roles held there and below, and none of those
 * held elsewhere. Nothing where there is no such user.
 */
async function auditedUser(db: Queries, id: string, unitId: string) {
  const row = await db.selectFrom("users").select(userColumns).where("id", "=", id).executeTakeFirst();
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
