import { permissions } from "@holdfast/api/conventions/permissions";
import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseWords } from "../../grammar/argument-parsers";
import { resourceNoun } from "../../grammar/resource-noun";
import { findRoleId } from "../../lookups/roles";
import { hidden } from "../../output/columns";
import { moment, some } from "../../output/facts";

type Role = ItemOf<"roles", "read-role">;

const fields = {
  name: "Its name.",
  permissions: {
    text: "What its holder may do, with commas; see: holdfast whoami",
    parse: parseWords(Object.keys(permissions)),
  },
  description: { flags: "--description <text>", text: "What the role is for." },
};

/** Roles. */
export function roleCommand(): Command {
  return resourceNoun<"roles", Role>({
    name: "role",
    description: "Sets of permissions that users and service tokens hold in organizational units.",
    resource: "roles",
    calls: ({ roles }) => roles,
    find: (client, given) => findRoleId(client, given, undefined),
    unitOf: ({ organizational_unit_id }) => organizational_unit_id,
    columns: [
      "name",
      "organizational_unit_id",
      "id",
      { name: "description", isExtra: true, canShrink: true },
      ...hidden("permissions"),
    ],
    facts: async (role, names) => [
      ["Role", role.name],
      ...some("For", role.description),
      ["May", role.permissions.join("\n")],
      ["Unit", await names.unit(role.organizational_unit_id)],
      ["Made by", role.is_default ? "Holdfast: it cannot be changed" : "people"],
      ...some("Created", moment(role.created_timestamp)),
      ["Id", role.id],
    ],
    list: {
      description: "List the roles that can be held in the organizational unit or below it.",
      filters: { name: "Only those with this in their names." },
      examples: ["holdfast role", "holdfast role list --unit Berlin -o json"],
    },
    show: { description: "Show a role and its permissions.", examples: ["holdfast role show operator"] },
    create: {
      description: "Create a role in an organizational unit and print its id.",
      fields,
      unit: "Where it is made: it can be held there and below. (default: that of the token)",
      examples: ['holdfast role create --name "night crew" --permissions tasks:read,tasks:abort --unit Berlin'],
    },
    update: {
      description: "Change a role, for all of its holders.",
      fields,
      examples: ['holdfast role update "night crew" --permissions tasks:read'],
    },
    delete: {
      description: "Delete a role that has no holders.",
      examples: ['holdfast role delete "night crew"'],
    },
  });
}
