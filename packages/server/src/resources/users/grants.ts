import { quote, refuse, refuseField } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";
import { listLimits } from "@holdfast/api/conventions/text-limits";
import type { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import type { Caller } from "../../access/caller";
import { requireHeld } from "../../access/grantable";
import { permissionsAlong } from "../../access/rights";
import { readPermissions } from "../../access/role-permissions";
import type { Queries } from "../../database/database";
import type { RoleGrantTable, RoleTable } from "../../database/schema";
import type { ChangeCall } from "../../operations/change";
import { addGrants, revokeRole } from "./store";

/** A role that is held, or is to be held, in a unit. */
export type UserGrant = Omit<RoleGrantTable, "user_id">;

/** Grants to add and to remove so that a user holds what was asked for. */
interface GrantPlan {
  add: readonly UserGrant[];
  remove: readonly UserGrant[];
}

/** Reads the grants of a body, each once. */
export function readWanted(
  checks: FieldChecks,
  wanted: readonly { role_id: string; organizational_unit_ids: readonly string[] }[],
): UserGrant[] {
  const grants = new Map<string, UserGrant>();
  for (const [index, { role_id, organizational_unit_ids }] of wanted.entries()) {
    const element = ["access_control_configuration", index];
    const roleId = parseUuid(role_id);
    if (roleId === undefined) checks.fail([...element, "role_id"], `a UUID, not ${quote(role_id)}`);
    if (organizational_unit_ids.length === 0) {
      checks.fail([...element, "organizational_unit_ids"], "one unit or more; leave the whole element out otherwise");
    }
    for (const unitId of organizational_unit_ids) {
      // A text that cannot be the id of a unit is refused like a unit that does not exist, and that like one that is not the caller's.
      const grant = { role_id: roleId ?? "", organizational_unit_id: parseUuid(unitId) ?? "" };
      grants.set(keyOf(grant), grant);
    }
  }
  if (grants.size > listLimits.grants) {
    checks.fail("access_control_configuration", `at most ${listLimits.grants} roles in units`);
  }
  return [...grants.values()];
}

/**
 * Compares what a user holds with what was asked for, and refuses what the caller may not give or take. Only what the
 * caller sees and manages is replaced: the rest stays, as if it were not there.
 */
export async function planGrants(
  { db, caller }: ChangeCall,
  wanted: readonly UserGrant[],
  userId?: string,
): Promise<GrantPlan> {
  const current = userId === undefined ? [] : await readHeld(db, userId);
  const rights = await readRights(db, caller, [...wanted, ...current]);
  const may = (permission: Permission, grant: UserGrant) => permissionsAt(rights, grant).has(permission);
  const seen = current.filter((grant) => may("users:read", grant));
  const [seenKeys, wantedKeys] = [new Set(seen.map(keyOf)), new Set(wanted.map(keyOf))];
  const add = wanted.filter((grant) => !seenKeys.has(keyOf(grant)));
  const remove = seen.filter((grant) => may("users:write", grant) && !wantedKeys.has(keyOf(grant)));

  if (!add.every((grant) => may("users:write", grant))) {
    throw refuseField(
      "grantForbidden",
      "/access_control_configuration",
      "You may not manage users in one of these organizational units, or it does not exist. Name others.",
    );
  }
  const roles = await readRoles(db, add);
  for (const grant of add) {
    const role = roles.get(grant.role_id);
    if (!role || !rights.get(grant.organizational_unit_id)?.path.includes(role.organizational_unit_id)) {
      throw refuseField(
        "bodyInvalid",
        "/access_control_configuration",
        `There is no role ${quote(grant.role_id)} that can be held in ${quote(grant.organizational_unit_id)}. List the roles there.`,
      );
    }
    requireHeld(permissionsAt(rights, grant), readPermissions(role.permissions));
  }
  for (const grant of remove) requireHeld(permissionsAt(rights, grant), readPermissions(grant.permissions));
  return { add, remove };
}

/** Refuses unless the caller could take away all that a user holds, wherever. People have power over themselves. */
export async function requirePower({ db, caller }: ChangeCall, userId: string): Promise<void> {
  if (caller.userId === userId) return;
  const held = await readHeld(db, userId);
  const rights = await readRights(db, caller, held);
  const canTake = (grant: HeldGrant) => {
    const own = permissionsAt(rights, grant);
    return own.has("users:write") && readPermissions(grant.permissions).isSubsetOf(own);
  };
  if (held.every(canTake)) return;
  throw refuse(
    "grantForbidden",
    "This user holds roles that you cannot take away. Take away those in your organizational units, or ask an administrator of the other units.",
  );
}

/** Carries a plan out. */
export async function applyPlan(db: Queries, userId: string, { add, remove }: GrantPlan): Promise<void> {
  for (const grant of remove) {
    await revokeRole(db, { userId, roleId: grant.role_id, unitId: grant.organizational_unit_id });
  }
  await addGrants(db, userId, add);
}

interface HeldGrant extends UserGrant {
  permissions: string;
}

/** All grants of a user, independent of the caller. */
async function readHeld(db: Queries, userId: string): Promise<HeldGrant[]> {
  return db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select(["role_grants.role_id", "role_grants.organizational_unit_id", "roles.permissions"])
    .where("user_id", "=", userId)
    .execute();
}

interface UnitRights {
  /** The unit and all above it. */
  path: readonly string[];
  permissions: ReadonlySet<Permission>;
}

type Rights = ReadonlyMap<string, UnitRights>;

/** Permissions of the caller in the units of some grants; those that do not exist are not in it. */
async function readRights(db: Queries, caller: Caller, grants: readonly UserGrant[]): Promise<Rights> {
  if (grants.length === 0) return new Map();
  const rows = await db
    .selectFrom("organizational_unit_paths")
    .select(["unit_id", "ancestor_id"])
    .where("unit_id", "in", [...new Set(grants.map((grant) => grant.organizational_unit_id))])
    .execute();
  const paths = Map.groupBy(rows, (row) => row.unit_id);
  return new Map(
    [...paths].map(([unitId, above]) => {
      const path = above.map((row) => row.ancestor_id);
      return [unitId, { path, permissions: permissionsAlong(caller, path) }];
    }),
  );
}

function permissionsAt(rights: Rights, { organizational_unit_id }: UserGrant): ReadonlySet<Permission> {
  return rights.get(organizational_unit_id)?.permissions ?? new Set();
}

type UsableRole = Pick<RoleTable, "permissions" | "organizational_unit_id">;

async function readRoles(db: Queries, grants: readonly UserGrant[]): Promise<ReadonlyMap<string, UsableRole>> {
  if (grants.length === 0) return new Map();
  const rows = await db
    .selectFrom("roles")
    .select(["id", "permissions", "organizational_unit_id"])
    .where("id", "in", [...new Set(grants.map((grant) => grant.role_id))])
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

function keyOf({ role_id, organizational_unit_id }: UserGrant): string {
  return `${role_id} ${organizational_unit_id}`;
}
