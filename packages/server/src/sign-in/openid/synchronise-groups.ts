import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { unitAndAbove } from "../../access/unit-paths";
import { recordEvent } from "../../audit/record-event";
import type { Queries } from "../../database/database";
import { isLastOwner } from "../../resources/users/owners";
import { addGrants } from "../../resources/users/store";
import type { ClientInfo } from "../record-account-action";
import type { SignInParts } from "../sign-in-parts";

/** A role in a unit. */
interface UnitRole {
  roleId: string;
  unitId: string;
}

/** The roles that the groups of a person map to. */
export interface GroupRights {
  /** All that any group can have: what is not among it, no group gives or takes. */
  mapped: readonly UnitRole[];
  /** Roles that these groups have. */
  wanted: readonly UnitRole[];
}

/** Finds what groups have. What there is not, or cannot be held in that unit, is said in the log and left out. */
export async function findGroupRights(
  db: Queries,
  { groupRoles, log }: Pick<SignInParts, "groupRoles" | "log">,
  groups: readonly string[],
): Promise<GroupRights> {
  const mapped: UnitRole[] = [];
  const wanted: UnitRole[] = [];
  for (const { group, role, unitId } of groupRoles) {
    const above = await unitAndAbove(db, unitId);
    const row = await db
      .selectFrom("roles")
      .select(["id", "organizational_unit_id"])
      .where((eb) => eb.or([eb("id", "=", role), eb.and([eb("name_lower", "=", role), eb("is_default", "=", 1)])]))
      .executeTakeFirst();
    if (!row || !above.includes(row.organizational_unit_id)) {
      log.warn("The setting oidc_group_roles names a role or a unit that there is not.", {
        detail: `${group}=${role}@${unitId}`,
      });
      continue;
    }
    const found = { roleId: row.id, unitId };
    if (!includes(mapped, found)) mapped.push(found);
    if (groups.includes(group) && !includes(wanted, found)) wanted.push(found);
  }
  return { mapped, wanted };
}

/** Gives a user the roles of their groups, and takes the mapped roles of other groups. No others. */
export async function synchroniseGroups(
  db: Queries,
  parts: SignInParts,
  userId: string,
  { mapped, wanted }: GroupRights,
  client: ClientInfo,
): Promise<void> {
  const held = await db
    .selectFrom("role_grants")
    .select(["role_id as roleId", "organizational_unit_id as unitId"])
    .where("user_id", "=", userId)
    .execute();
  const granted = wanted.filter((one) => !includes(held, one));
  const surplus = held.filter((one) => includes(mapped, one) && !includes(wanted, one));
  await addGrants(
    db,
    userId,
    granted.map(({ roleId, unitId }) => ({ role_id: roleId, organizational_unit_id: unitId })),
  );
  const revoked: UnitRole[] = [];
  for (const { roleId, unitId } of surplus) {
    // A mapping that was mistyped must not lock all users out.
    if (roleId === defaultRoles.owner.id && unitId === rootUnitId && (await isLastOwner(db, userId))) continue;
    await db
      .deleteFrom("role_grants")
      .where("user_id", "=", userId)
      .where("role_id", "=", roleId)
      .where("organizational_unit_id", "=", unitId)
      .execute();
    revoked.push({ roleId, unitId });
  }
  await recordByUnit(db, parts, userId, { granted, revoked }, client);
}

/** Records in each unit what has changed there, and not what has changed in others. */
async function recordByUnit(
  db: Queries,
  { sealer, clock }: Pick<SignInParts, "sealer" | "clock">,
  userId: string,
  { granted, revoked }: { granted: readonly UnitRole[]; revoked: readonly UnitRole[] },
  { address, requestId }: ClientInfo,
): Promise<void> {
  for (const unitId of new Set([...granted, ...revoked].map((one) => one.unitId))) {
    await recordEvent(db, sealer, {
      at: clock(),
      actor: { kind: "user", user_id: userId, token_id: null, address },
      operation: "synchronise-groups",
      object: { type: "user", id: userId },
      unitId,
      requestId,
      result: "done",
      after: { granted: rolesIn(unitId, granted), revoked: rolesIn(unitId, revoked) },
    });
  }
}

function rolesIn(unitId: string, list: readonly UnitRole[]) {
  return list.filter((one) => one.unitId === unitId).map(({ roleId }) => ({ role_id: roleId }));
}

function includes(list: readonly UnitRole[], { roleId, unitId }: UnitRole): boolean {
  return list.some((one) => one.roleId === roleId && one.unitId === unitId);
}
