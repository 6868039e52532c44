import type { Queries } from "../../database/database";
import type { ChangeCall } from "../change";
import type { UserGrant } from "./grants";
import type { UserRow } from "./list-users";
import { presentUserV2 } from "./present";

/** The unit that the audit trail tells of a change in: the lowest one that has the acted-in unit and all changed grants. */
export async function auditedUnit(
  { db, scope }: ChangeCall,
  changedGrants: readonly Pick<UserGrant, "organizational_unit_id">[],
): Promise<string> {
  const units = [...new Set([scope.unitId, ...changedGrants.map((grant) => grant.organizational_unit_id)])];
  const common = db
    .selectFrom("organizational_unit_paths")
    .select("ancestor_id")
    .where("unit_id", "in", units)
    .groupBy("ancestor_id")
    .having((eb) => eb.fn.countAll(), "=", units.length);
  const lowest = await db
    .selectFrom("organizational_unit_paths")
    .select("unit_id")
    .where("unit_id", "in", common)
    .groupBy("unit_id")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return lowest.unit_id;
}

/** A user for the audit trail of a unit: with all roles held there and below, and none of those held elsewhere. */
export async function auditedUser({ db, service }: ChangeCall, row: UserRow, unitId: string) {
  const grants = await grantsOf(db, row.id)
    .innerJoin("organizational_unit_paths", "unit_id", "organizational_unit_id")
    .where("ancestor_id", "=", unitId)
    .execute();
  return presentUserV2({ ...row, grants }, service.nameLinks);
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
