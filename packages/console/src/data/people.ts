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
  full_name: string;
  is_enabled: boolean;
  access_control_configuration: readonly Grant[];
}

/** Draft that an edit begins with: the user as it is. */
export function draftOf({ full_name, is_enabled, access_control_configuration }: User): UserDraft {
  return { full_name, is_enabled, access_control_configuration: grantsOf(access_control_configuration) };
}
