import type { Permission } from "@holdfast/api/conventions/permissions";
import { requireHeld } from "../../access/grantable";
import { readPermissions } from "../../access/role-permissions";
import { isActive } from "../../access/tokens/active-tokens";
import type { Queries } from "../../database/database";
import type { ChangeCall } from "../../operations/change";
import type { UnitMove } from "../unit-contents";

/**
 * Refuses a move that gives or takes permissions which the caller does not hold. Holders of a role above the new place gain
 * it in the moved unit, and holders of a role above the old place lose it: that is the same as granting.
 */
export async function requireHeldByMover(call: ChangeCall, unitId: string, { gained, lost }: UnitMove): Promise<void> {
  requireHeld(await call.permissionsIn(unitId), await allowedBy(call.db, [...gained, ...lost], call.now));
}

/** Everything that roles allow which users or service tokens hold in one of these units. */
async function allowedBy(db: Queries, unitIds: readonly string[], now: number): Promise<Set<Permission>> {
  if (unitIds.length === 0) return new Set();
  const granted = await db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select("permissions")
    .distinct()
    .where("role_grants.organizational_unit_id", "in", unitIds)
    .execute();
  const ofTokens = await db
    .selectFrom("api_tokens")
    .innerJoin("roles", "roles.id", "api_tokens.role_id")
    .select("permissions")
    .distinct()
    .where("api_tokens.organizational_unit_id", "in", unitIds)
    .where(isActive(now))
    .execute();
  return new Set([...granted, ...ofTokens].flatMap(({ permissions }) => [...readPermissions(permissions)]));
}
