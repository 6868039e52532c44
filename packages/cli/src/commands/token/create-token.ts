import type { ItemOf } from "@holdfast/client";
import { isLoopback } from "@holdfast/server/settings/loopback";
import { type Command, Option } from "commander";
import { expiryIn, parseLife, parseName, parseRole } from "../../grammar/argument-parsers";
import { changeVerb } from "../../grammar/change-verb";
import { addUnitOption } from "../../grammar/connection-options";
import { UsageError } from "../../grammar/usage-error";
import { findRoleId } from "../../lookups/roles";
import { findUnitId } from "../../lookups/units";
import { findUserId } from "../../lookups/users";
import { explain } from "../../output/write";
import { visible } from "../../terminal/visible";
import { ownUnitId } from "../user/create-user";

const defaultServiceRole = "viewer";

interface NewTokenFlags {
  kind: "service" | "personal";
  name: string;
  role?: string;
  unit?: string;
  user?: string;
  expires?: number;
}

/** Creates a token. Only the operator of this machine makes a personal token for another person. */
export function createToken(): Command {
  return changeVerb<ItemOf<"api-tokens", "create-api-token">, NewTokenFlags>({
    name: "create",
    description: "Create a token and print it. It is shown this once and kept nowhere.",
    addOptions: (command) =>
      addUnitOption(
        command
          .addOption(
            new Option("--kind <kind>", "A service token has a role of its own; a personal token acts as its user.")
              .choices(["service", "personal"])
              .makeOptionMandatory(),
          )
          .requiredOption("--name <name>", "What it is for, as lists show it.", parseName)
          .option(
            "--role <role>",
            `Role of a service token, by name or id. (default: ${defaultServiceRole})`,
            parseRole,
          )
          .option("--user <user>", "With --local: the user that a personal token acts as, by e-mail address or id.")
          .option(
            "--expires <time>",
            "How long it lives: a number and s, m, h or d, at most 730d. (default: 90d)",
            parseLife,
          ),
        "Organizational unit in which it acts, with all below. (default: that of your token; the root with --local)",
      ),
    examples: [
      "TOKEN=$(holdfast token create --kind service --name nightly-report --expires 30d)",
      "holdfast token create --kind service --name web-1 --role reporter --unit Berlin",
      "holdfast token create --kind personal --name laptop",
      "holdfast token create --local --kind personal --name laptop --user ada@example.org",
    ],
    help: "Roles: owner, admin, operator, reporter, viewer, and those made in the unit or above it",
    prints: "the token",
    mayCreate: true,
    check: refuseMisfits,
    async change({ client, local }, _, { kind, name, role = defaultServiceRole, unit, user, expires }) {
      if (local && kind === "personal" && user === undefined) {
        throw new UsageError(
          "A personal token needs its user: name one with --user. See: holdfast token create --help",
        );
      }
      if (!local && user !== undefined) {
        throw new UsageError(
          "Through the service you make personal tokens for yourself: leave --user out, or use --local.",
        );
      }
      const unitId = unit === undefined ? await ownUnitId(client, local !== undefined) : await findUnitId(client, unit);
      const body = {
        name,
        kind,
        organizational_unit_id: unitId,
        ...(expires === undefined ? {} : { expires_timestamp: expiryIn(expires) }),
        ...(kind === "service" ? { role_id: await findRoleId(client, role, unitId) } : {}),
      };
      const item = local && user !== undefined ? await createFor(user) : await client.apiTokens.create(body);
      if (process.stdout.isTTY)
        explain(`The token ${visible(name)} is shown this once: keep it where only its user can read it.`);
      const { base_url: address } = item;
      if (process.stdout.isTTY && address !== null && isLoopback(new URL(address).hostname))
        explain(`It is for ${address}, which only this machine can reach. For other hosts, set base_url first.`);
      return { item, result: item.token };

      async function createFor(person: string) {
        const actingFor = { userId: await findUserId(client, person) };
        const changed = await local?.change("create-api-token", { body, actingFor });
        return { ...(await client.apiTokens.read(changed?.object.id ?? "")), token: changed?.once?.token };
      }
    },
  });
}

/** Refuses options that do not go together before anything is asked. */
function refuseMisfits({ kind, role, user }: NewTokenFlags, command: Command): void {
  if (kind === "service") {
    if (user !== undefined) command.error("a service token has no user: leave --user out, or choose --kind personal");
    return;
  }
  if (role !== undefined) command.error("a personal token has the roles of its user: leave --role out");
}
