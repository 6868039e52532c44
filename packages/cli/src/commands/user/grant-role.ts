import { parseUuid } from "@holdfast/api/conventions/uuid";
import { type Client, etagOf, HoldfastError } from "@holdfast/client";
import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { parseRole } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { addUnitOption } from "../../grammar/connection-options";
import { sameName } from "../../lookups/find-one";
import { roleNames } from "../../lookups/names";
import { findRoleId } from "../../lookups/roles";
import { findUnitId } from "../../lookups/units";
import { findUserId, userArgument } from "../../lookups/users";
import { ownUnitId } from "./create-user";
import type { User } from "./user-facts";

type Grants = User["access_control_configuration"];

/** A role, by its name or id, that a user is to hold in a unit or no longer. */
interface Wanted {
  role: string;
  unitId: string;
}

interface RoleFlags {
  role: string;
  unit?: string;
}

export function grantRole(): Command {
  return roleVerb(
    "grant",
    "Give a user a role in an organizational unit and all below it. An invitation that is open becomes void.",
    grant,
  );
}

export function revokeRole(): Command {
  return roleVerb("revoke", "Take a role in an organizational unit away from a user.", revoke);
}

async function grant(client: Client, held: Grants, { role, unitId }: Wanted): Promise<Grants> {
  return [...held, { role_id: await findRoleId(client, role, unitId), organizational_unit_ids: [unitId] }];
}

/** Looks for the role among those that are held, so that one which should never have been given can be taken away. */
async function revoke(client: Client, held: Grants, { role, unitId }: Wanted): Promise<Grants> {
  const names = roleNames(client);
  await names.load(held.map(({ role_id }) => role_id));
  const id = parseUuid(role);
  const isMeant = (roleId: string) => roleId === id || sameName(names.of(roleId), role);
  const kept = held
    .map(({ role_id, organizational_unit_ids }) => ({
      role_id,
      organizational_unit_ids: isMeant(role_id)
        ? organizational_unit_ids.filter((one) => one !== unitId)
        : organizational_unit_ids,
    }))
    .filter(({ organizational_unit_ids }) => organizational_unit_ids.length > 0);
  if (countUnits(kept) === countUnits(held)) {
    throw new Refusal("The user does not hold that role in that organizational unit. See: holdfast user list --json");
  }
  return kept;
}

function countUnits(grants: Grants): number {
  return grants.reduce((sum, { organizational_unit_ids }) => sum + organizational_unit_ids.length, 0);
}

function roleVerb(name: string, description: string, changeGrants: typeof grant): Command {
  return changeVerb<User, RoleFlags>({
    name,
    description,
    argument: userArgument,
    addOptions: (command) =>
      addUnitOption(
        command.requiredOption("--role <role>", "The role, by name or id.", parseRole),
        "The organizational unit. (default: that of the token; the root with --local)",
      ),
    examples: [`holdfast user ${name} ada@example.org --role viewer --unit Berlin`],
    help: "Roles: owner, admin, operator, reporter, viewer, and those made in the unit or above it",
    prints: "nothing",
    async change({ client, local }, given, { role, unit }) {
      const id = await findUserId(client, given);
      const unitId = unit === undefined ? await ownUnitId(client, local !== undefined) : await findUnitId(client, unit);
      return { item: await changeUnlessChanged(client, id, (held) => changeGrants(client, held, { role, unitId })) };
    },
  });
}

const maxAttempts = 5;
const editConflict = 412;

/** Changes what a user holds. If it was changed between reading and writing, it is read again. */
async function changeUnlessChanged(
  client: Client,
  id: string,
  change: (held: Grants) => Promise<Grants>,
): Promise<User> {
  for (let tries = 1; ; tries++) {
    const user = await client.users.read(id);
    const body = { access_control_configuration: await change(user.access_control_configuration) };
    try {
      return await client.users.update(id, body, { ifMatch: etagOf(user) });
    } catch (error) {
      if (tries >= maxAttempts || !(error instanceof HoldfastError) || error.status !== editConflict) throw error;
    }
  }
}
