import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseRole } from "../../grammar/argument-parsers";
import { type ListFlags, listVerb, pageSize, type RowContext } from "../../grammar/list-verb";
import { findRoleId } from "../../lookups/roles";
import { minute } from "../../output/moments";
import type { Column } from "../../output/table";

export type User = ItemOf<"users", "read-user">;

/** A user, and the roles by name. */
type ListedUser = User & { roles: { role: string; role_id: string; organizational_unit_id: string }[] };

interface UserFlags extends ListFlags {
  role?: string;
}

/** Lists users, with the roles that they hold. */
export function listUsers(): Command {
  return listVerb<User, UserFlags, ListedUser>({
    description: "List users by name, with the roles that they hold.",
    usualLimit: "all",
    searches: "their names or e-mail addresses",
    addOptions: (command) =>
      command.option("--role <role>", "Only those who hold this role, by name or id.", parseRole),
    examples: ["holdfast user", "holdfast user list --search ada", "holdfast user list --role owner -o json"],
    async list(client, flags) {
      const role = flags.role === undefined ? {} : { role_id: await findRoleId(client, flags.role, undefined) };
      const name = flags.search === undefined ? {} : { name: { $contains: flags.search } };
      return client.users.list({ limit: pageSize(flags, "all"), filter: { ...role, ...name } });
    },
    rows: withRoles,
    shape: ({ units }) => ({ id: ({ id }) => id, columns: columns((id) => units.of(id)) }),
  });
}

async function withRoles(users: User[], { names: { roles, units } }: RowContext): Promise<ListedUser[]> {
  const grants = users.flatMap((user) => user.access_control_configuration);
  await Promise.all([
    roles.load(grants.map(({ role_id }) => role_id)),
    units.load(grants.flatMap(({ organizational_unit_ids }) => organizational_unit_ids)),
  ]);
  return users.map((user) => ({
    ...user,
    roles: user.access_control_configuration.flatMap(({ role_id, organizational_unit_ids }) =>
      organizational_unit_ids.map((organizational_unit_id) => ({
        role: roles.of(role_id),
        role_id,
        organizational_unit_id,
      })),
    ),
  }));
}

function columns(unitName: (id: string) => string): Column<ListedUser>[] {
  return [
    { name: "full_name", title: "NAME", value: (user) => user.full_name, canShrink: true },
    { name: "email", title: "E-MAIL", value: (user) => user.email, canShrink: true },
    {
      name: "state",
      title: "STATE",
      value: stateOf,
      tone: (user) => (stateOf(user) === "enabled" ? "good" : "warning"),
    },
    {
      name: "last_activity_timestamp",
      isExtra: true,
      title: "LAST ACTIVE (UTC)",
      value: (user) => user.last_activity_timestamp ?? "",
      text: (user) => minute(user.last_activity_timestamp),
    },
    { name: "id", title: "ID", value: (user) => user.id },
    {
      name: "roles",
      isExtra: true,
      title: "ROLES",
      value: ({ roles }) => roles.map((held) => `${held.role} in ${unitName(held.organizational_unit_id)}`).join(", "),
      text: ({ roles }) =>
        roles.map((held) => `${held.role} in ${unitName(held.organizational_unit_id)}`).join(", ") || "-",
      canShrink: true,
    },
  ];
}

export function stateOf({ is_enabled, is_confirmed }: User): "disabled" | "enabled" | "invited" {
  if (!is_enabled) return "disabled";
  return is_confirmed ? "enabled" : "invited";
}
