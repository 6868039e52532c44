import type { ItemOf } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, moment, some } from "../../output/facts";

/** A user, in lists with the roles by name. */
export type User = ItemOf<"users", "read-user"> & {
  roles?: { role: string; role_id: string; organizational_unit_id: string }[];
};

/** Facts about a user, the most important first. */
export async function userFacts(user: User, names: FactNames): Promise<Fact[]> {
  const roles: string[] = [];
  for (const { role_id, organizational_unit_ids } of user.access_control_configuration) {
    for (const unit of organizational_unit_ids) roles.push(`${await names.role(role_id)} in ${await names.unit(unit)}`);
  }
  const state = stateOf(user);
  return [
    ["User", user.full_name],
    ["E-mail", user.email],
    ["State", state, state === "enabled" ? "good" : "warning"],
    ["Roles", roles.join("\n") || "none"],
    ["Time zone", user.time_zone],
    ["Last active", moment(user.last_activity_timestamp) ?? "never"],
    ...some("Invited by", user.inviter === null ? undefined : await names.user(user.inviter)),
    ["Created", moment(user.created_timestamp)],
    ["Id", user.id],
  ];
}

export function stateOf({ is_enabled, is_confirmed }: User): "disabled" | "enabled" | "invited" {
  if (!is_enabled) return "disabled";
  return is_confirmed ? "enabled" : "invited";
}
