import { refuse } from "@holdfast/api/conventions/api-error";
import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Queries } from "../database/database";
import type { Caller } from "./caller";
import { unitAndAbove } from "./unit-paths";

/** Permissions of a caller in a unit: everything that roles held there or above allow. Nothing in a unit that does not exist. */
export async function permissionsIn(db: Queries, caller: Caller, unitId: string): Promise<ReadonlySet<Permission>> {
  return permissionsAlong(caller, await unitAndAbove(db, unitId));
}

/**
 * Refuses a holder of roles who holds none there. The same refusal for a unit that does not exist and one that is
 * not theirs.
 */
export function requireCovered(
  holder: Pick<Caller, "roles">,
  path: readonly string[],
  whose: "You hold" | "The user holds" = "You hold",
): ReadonlySet<Permission> {
  if (holder.roles.some((role) => path.includes(role.unitId))) return permissionsAlong(holder, path);
  throw refuse(
    "unitForbidden",
    `${whose} no role in this organizational unit, or it does not exist. Name another one.`,
  );
}

/** The units in which a caller holds a role that allows something; none where nothing is named. */
export function unitsWith({ roles }: Pick<Caller, "roles">, permission: Permission | null): string[] {
  return permission === null ? [] : roles.filter((role) => role.permissions.has(permission)).map((role) => role.unitId);
}

/** Permissions of a caller in a unit, given the ids of the unit itself and of all above it. */
export function permissionsAlong(caller: Pick<Caller, "roles">, path: readonly string[]): ReadonlySet<Permission> {
  const covering = caller.roles.filter((role) => path.includes(role.unitId));
  return new Set(covering.flatMap((role) => [...role.permissions]));
}
