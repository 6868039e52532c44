import { permissions as allPermissions } from "@holdfast/api/conventions/permissions";
import type { Client, ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseName, parseWords } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { unitColumn } from "../../grammar/common-columns";
import { addUnitOption } from "../../grammar/connection-options";
import { deleteVerb } from "../../grammar/delete-verb";
import { type ListFlags, listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { WrongUse } from "../../grammar/wrong-use";
import { findRoleId } from "../../lookups/roles";
import { actingIn } from "../../lookups/units";
import { moment, some } from "../../output/facts";

type Role = ItemOf<"roles", "read-role">;

const roleArgument = ["role", "The role, by name or id; see: holdfast role list"] as const;

interface RoleFlags {
  name?: string;
  description?: string;
  permissions?: string[];
  unit?: string;
}

/** Roles. */
export function roleCommand(): Command {
  return noun("role", "Sets of permissions that users and service tokens hold in organizational units.", [
    listRoles(),
    showVerb({
      description: "Show a role and its permissions.",
      argument: roleArgument,
      examples: ["holdfast role show operator"],
      read: async (client, given) => client.roles.read(await findRoleId(client, given, undefined)),
      id: ({ id }) => id,
      facts: async (role, names) => [
        ["Role", role.name],
        ...some("For", role.description),
        ["May", role.permissions.join("\n")],
        ["Unit", await names.unit(role.organizational_unit_id)],
        ["Made by", role.is_default ? "Holdfast: it cannot be changed" : "people"],
        ...some("Created", moment(role.created_timestamp)),
        ["Id", role.id],
      ],
    }),
    createRole(),
    updateRole(),
    deleteVerb({
      description: "Delete a role that has no holders.",
      argument: roleArgument,
      examples: ['holdfast role delete "night crew"'],
      find: ({ client }, given) => findRoleId(client, given, undefined),
      nameOf: async ({ client }, id) => `the role ${(await client.roles.read(id)).name}`,
      remove: async ({ client }, id) => (await whereMade(client, id)).roles.delete(id),
    }),
  ]);
}

/** A role is changed in the unit that it was made in. */
async function whereMade(client: Client, id: string): Promise<Client> {
  return client.in((await client.roles.read(id)).organizational_unit_id);
}

function listRoles(): Command {
  return listVerb<Role, ListFlags, Role>({
    description: "List the roles that can be held in the organizational unit or below it.",
    usualLimit: "all",
    searches: "their names",
    examples: ["holdfast role", "holdfast role list --unit Berlin -o json"],
    list: (client, flags) =>
      client.roles.list({
        limit: pageSize(flags, "all"),
        ...(flags.search === undefined ? {} : { filter: { name: { $contains: flags.search } } }),
      }),
    rows: withUnitNames,
    shape: ({ units }) => ({
      id: ({ id }) => id,
      columns: [
        { name: "name", title: "NAME", value: (role) => role.name },
        unitColumn(units),
        { name: "id", title: "ID", value: (role) => role.id },
        {
          name: "description",
          isExtra: true,
          title: "DESCRIPTION",
          value: (role) => role.description,
          canShrink: true,
        },
        { name: "permissions", title: "", value: (role) => role.permissions.join(" "), isHidden: true },
      ],
    }),
  });
}

const permissionsOption = [
  "--permissions <list>",
  "What its holder may do, with commas; see: holdfast whoami",
  parseWords(Object.keys(allPermissions)),
] as const;
const descriptionOption = ["--description <text>", "What the role is for."] as const;
const nameOption = ["--name <name>", "Its name.", parseName] as const;

function createRole(): Command {
  return changeVerb<Role, RoleFlags>({
    name: "create",
    description: "Create a role in an organizational unit and print its id.",
    addOptions: (command) =>
      addUnitOption(
        command
          .requiredOption(...nameOption)
          .requiredOption(...permissionsOption)
          .option(...descriptionOption),
        "Where it is made: it can be held there and below. (default: that of the token)",
      ),
    examples: ['holdfast role create --name "night crew" --permissions tasks:read,tasks:abort --unit Berlin'],
    prints: "the id",
    async change({ client }, _, { name = "", permissions = [], description, unit }) {
      const body = { name, permissions, ...(description === undefined ? {} : { description }) };
      const item = await (await actingIn(client, unit)).roles.create(body);
      return { item, result: item.id };
    },
  });
}

function updateRole(): Command {
  return changeVerb<Role, RoleFlags>({
    name: "update",
    description: "Change a role, for all of its holders.",
    argument: roleArgument,
    addOptions: (command) =>
      command
        .option(...nameOption)
        .option(...permissionsOption)
        .option(...descriptionOption),
    examples: ['holdfast role update "night crew" --permissions tasks:read'],
    prints: "nothing",
    check: ({ name, permissions, description }) => {
      if (name ?? permissions ?? description) return;
      throw new WrongUse("Name what is to change: --name, --permissions or --description.");
    },
    async change({ client }, given, { name, permissions, description }) {
      const id = await findRoleId(client, given, undefined);
      const body = {
        ...(name === undefined ? {} : { name }),
        ...(permissions === undefined ? {} : { permissions }),
        ...(description === undefined ? {} : { description }),
      };
      return { item: await (await whereMade(client, id)).roles.update(id, body) };
    },
  });
}
