import type { ItemOf } from "@holdfast/client";

export type User = ItemOf<"users", "read-user">;

/** A role that is held in a unit. */
export interface Grant {
  roleId: string;
  unitId: string;
}

type Configuration = User["access_control_configuration"];

/** The roles of a user, one by one. */
export function grantsOf(configuration: Configuration): Grant[] {
  return configuration.flatMap(({ role_id, organizational_unit_ids }) =>
    organizational_unit_ids.map((unitId) => ({ roleId: role_id, unitId })),
  );
}

/** Configuration as the API takes it: units by role. */
export function configurationOf(grants: readonly Grant[]): Configuration {
  const roles = new Map<string, string[]>();
  for (const { roleId, unitId } of grants) {
    const units = roles.get(roleId) ?? [];
    if (!units.includes(unitId)) units.push(unitId);
    roles.set(roleId, units);
  }
  return [...roles].map(([role_id, organizational_unit_ids]) => ({ role_id, organizational_unit_ids }));
}

/** State of a user: invited, active or locked. */
export function stateOf({ is_confirmed, is_enabled }: Pick<User, "is_confirmed" | "is_enabled">) {
  if (!is_enabled) return { word: "Disabled", look: "error" } as const;
  return is_confirmed ? ({ word: "Active", look: "good" } as const) : ({ word: "Invited", look: "neutral" } as const);
}

/** Editable fields of a user. */
export interface UserDraft {
  name: string;
  isEnabled: boolean;
  grants: readonly Grant[];
}

/** Draft of an unchanged user. */
export function draftOf(user: User): UserDraft {
  return { name: user.full_name, isEnabled: user.is_enabled, grants: grantsOf(user.access_control_configuration) };
}
