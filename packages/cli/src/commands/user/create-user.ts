import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Client, ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import type { LocalPlane } from "../../connection/connection";
import { parseEmail, parseName, parseRole } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { addUnitOption } from "../../grammar/connection-options";
import { findRoleId } from "../../lookups/roles";
import { findUnitId } from "../../lookups/units";
import { findUserId, userArgument } from "../../lookups/users";
import { explain } from "../../output/write";

interface NewUserFlags {
  email: string;
  name: string;
  role?: string;
  unit?: string;
}

/** Creates a user. On the data of this machine the operator vouches for the address, so nothing has to be confirmed. */
export function createUser(): Command {
  return changeVerb<ItemOf<"users", "create-user">, NewUserFlags>({
    name: "create",
    description: "Create a user and print the id. For the link with which the person sets a password, see user invite.",
    addOptions: (command) =>
      addUnitOption(
        command
          .requiredOption("--email <address>", "E-mail address; no two users share one.", parseEmail)
          .requiredOption("--name <name>", "Full name.", parseName)
          .option("--role <role>", "Role to hold from the start, by name or id. (default: none)", parseRole),
        "Organizational unit in which to hold it. (default: that of the token; the root with --local)",
      ),
    examples: [
      'holdfast user create --email ada@example.org --name "Ada Lovelace" --role admin',
      "ID=$(holdfast user create --email bob@example.org --name Bob)",
      "holdfast user grant $ID --role viewer --unit Berlin",
    ],
    help: "With --local, the user counts as confirmed.",
    prints: "the id",
    mayCreate: true,
    check: ({ role, unit }, command) => {
      if (unit !== undefined && role === undefined) command.error("--unit says where a role is held and needs --role");
    },
    async change({ client, local }, _, { email, name, role, unit }) {
      const grants = role === undefined ? [] : [await grantOf(role)];
      const body = { email, full_name: name, access_control_configuration: grants };
      if (local) {
        const { object } = await local.change("create-user", { body, actingFor: { isConfirmed: true } });
        return { result: object.id, item: await client.users.read(object.id) };
      }
      const item = await client.users.create(body);
      explain(`For the link with which the person sets a password: holdfast user invite ${item.id}`);
      return { item, result: item.id };

      async function grantOf(name: string) {
        const unitId =
          unit === undefined ? await ownUnitId(client, local !== undefined) : await findUnitId(client, unit);
        return { role_id: await findRoleId(client, name, unitId), organizational_unit_ids: [unitId] };
      }
    },
  });
}

/** The unit that is acted in: the root for the operator of this machine. */
export async function ownUnitId(client: Client, isLocal: boolean): Promise<string> {
  if (isLocal) return rootUnitId;
  return client.unit ?? (await client.caller.read()).organizational_unit.id;
}

export function inviteUser(): Command {
  return changeVerb<ItemOf<"users", "invite-user">, object>({
    name: "invite",
    description: "Print a link with which a user sets a password: good once, for seven days. Older links become void.",
    argument: userArgument,
    examples: ["holdfast user invite ada@example.org"],
    prints: "the link",
    async change({ client, local }, given) {
      const id = await findUserId(client, given);
      // The operator hands the link over: no mail is sent.
      const item = local ? await inviteHere(client, local, id) : await client.users.invite(id);
      return { item, result: item.invitation_link };
    },
  });
}

async function inviteHere(client: Client, local: LocalPlane, id: string) {
  const { once } = await local.change("invite-user", { variables: { user_id: id } });
  return { ...(await client.users.read(id)), invitation_link: once?.invitation_link };
}
