import type { Command } from "commander";
import { parseName, parseRole } from "../../grammar/argument-parsers";
import type { RowContext, TableNames } from "../../grammar/list-verb";
import { resourceNoun } from "../../grammar/resource-noun";
import { findUserId, userArgument } from "../../lookups/users";
import { createUser, inviteUser } from "./create-user";
import { grantRole, revokeRole } from "./grant-role";
import { stateOf, type User, userFacts } from "./user-facts";

/** People. */
export function userCommand(): Command {
  return resourceNoun<"users", User>({
    name: "user",
    description: "People, and the roles that they hold in organizational units.",
    resource: "users",
    calls: ({ users }) => users,
    argument: userArgument,
    find: findUserId,
    rows: withRoles,
    columns: ({ units }) => [
      { name: "full_name", title: "NAME", canShrink: true },
      { name: "email", title: "E-MAIL", canShrink: true },
      {
        name: "state",
        title: "STATE",
        value: stateOf,
        tone: (user) => (stateOf(user) === "enabled" ? "good" : "warning"),
      },
      { name: "last_activity_timestamp", isExtra: true, title: "LAST ACTIVE (UTC)" },
      "id",
      {
        name: "roles",
        isExtra: true,
        value: (user) => rolesOf(user, units),
        text: (user) => rolesOf(user, units) || "-",
        canShrink: true,
      },
    ],
    facts: userFacts,
    list: {
      description: "List users by name, with the roles that they hold.",
      filters: {
        role_id: { flags: "--role <role>", text: "Only those who hold this role, by name or id.", parse: parseRole },
        name: "Only those with this in their names or e-mail addresses.",
      },
      examples: ["holdfast user", "holdfast user list --search ada", "holdfast user list --role owner -o json"],
    },
    show: { description: "Show a user.", examples: ["holdfast user show ada@example.org"] },
    update: {
      description: "Change the name or the time zone of a user. For roles see user grant and user revoke.",
      fields: {
        full_name: { flags: "--name <name>", text: "Full name.", parse: parseName },
        time_zone: { flags: "--time-zone <zone>", text: "The zone of the times in mail, such as Europe/Berlin." },
      },
      examples: [
        'holdfast user update ada@example.org --name "Ada Byron"',
        "holdfast user update ada@example.org --time-zone Europe/London",
      ],
    },
    updates: {
      enable: {
        description: "Let a user in again.",
        body: { is_enabled: true },
        examples: ["holdfast user enable ada@example.org"],
      },
      disable: {
        description:
          "Lock a user out at once, personal tokens included. Sessions end, and an invitation that is open becomes void.",
        body: { is_enabled: false },
        examples: ["holdfast user disable ada@example.org"],
      },
    },
    verbs: [createUser(), inviteUser(), grantRole(), revokeRole()],
    delete: {
      description: "Delete a user, with their sessions and personal tokens.",
      nameOf: ({ email }) => email,
      examples: ["holdfast user delete ada@example.org"],
    },
  });
}

async function withRoles(users: User[], { names: { roles, units } }: RowContext): Promise<User[]> {
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

function rolesOf({ roles = [] }: User, units: TableNames["units"]): string {
  return roles.map(({ role, organizational_unit_id }) => `${role} in ${units.of(organizational_unit_id)}`).join(", ");
}
