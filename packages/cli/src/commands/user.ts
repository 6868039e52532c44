import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Queries } from "@holdfast/server/database/database";
import { listUnits } from "@holdfast/server/resources/organizational-units/store";
import { requireRole } from "@holdfast/server/resources/roles/store";
import { auditedUser } from "@holdfast/server/resources/users/audited-user";
import { keepOwner } from "@holdfast/server/resources/users/owners";
import {
  createUser,
  grantRole,
  listUsersWithRoles,
  requireHeldRole,
  revokeRole,
  setUserEnabled,
} from "@holdfast/server/resources/users/store";
import { Command } from "commander";
import { parseEmail, parseId, parseName, parseRole } from "../argument-parsers";
import { type OpenedForCommand, openForCommand, openOrMakeForCommand } from "../open-for-command";
import { formatJson, formatMinute, formatMoment, formatTable, printResult } from "../output";
import { recordCommand } from "../record-command";
import { addSettingOptions } from "../settings-options";
import { unitPaths } from "../unit-paths";
import { inviteCommand } from "./user-invite";

const grantDescription =
  "Give a user a role in an organizational unit and all below it. An invitation that is open becomes void.";
const disableDescription =
  "Lock a user out at once, personal tokens included. Sessions end, and an invitation that is open becomes void.";

export function userCommand(): Command {
  return new Command("user")
    .description("People, and the roles that they hold in organizational units.")
    .addCommand(createCommand())
    .addCommand(inviteCommand())
    .addCommand(listCommand())
    .addCommand(enableCommand("enable", "Let a user in again.", true))
    .addCommand(enableCommand("disable", disableDescription, false))
    .addCommand(roleCommand("grant", grantDescription, grant))
    .addCommand(roleCommand("revoke", "Take a role in an organizational unit away from a user.", revoke));
}

interface NewUserOptions {
  email: string;
  name: string;
  role?: string;
  ou?: string;
}

function createCommand(): Command {
  const command = new Command("create")
    .description(
      "Create a user and print its id. The user counts as confirmed and is enabled; for a password, see user invite.",
    )
    .requiredOption("--email <address>", "E-mail address; no two users share one.", parseEmail)
    .requiredOption("--name <name>", "Full name.", parseName)
    .option("--role <role>", "Role to hold from the start, by name or id. (default: none)", parseRole)
    .option("--ou <id>", "Organizational unit in which to hold it. (default: the root)", parseId)
    .addHelpText(
      "after",
      `
Examples:
  $ holdfast user create --email ada@example.org --name "Ada Lovelace" --role admin
  $ ID=$(holdfast user create --email bob@example.org --name Bob)
  $ holdfast user grant $ID --role viewer --ou 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b`,
    )
    .action(({ email, name, role, ou }: NewUserOptions) => {
      if (ou !== undefined && role === undefined) {
        command.error("--ou says where a role is held and needs --role");
      }
      return openOrMakeForCommand(command, async (opened) => {
        const { database, now } = opened;
        const unitId = ou ?? rootUnitId;
        const id = await database.change(async (db) => {
          const userId = await createUser(db, {
            email,
            fullName: name,
            isConfirmed: true,
            isEnabled: true,
            inviterId: null,
            createdAt: now,
          });
          if (role !== undefined) await grant(db, { userId, unitId, role });
          await recordCommand(db, opened, {
            operation: "create-user",
            object: { type: "user", id: userId },
            unitId,
            after: await auditedUser(db, userId, unitId),
          });
          return userId;
        });
        printResult(id);
      });
    });
  return addSettingOptions(command);
}

function listCommand(): Command {
  const command = new Command("list")
    .description("List all users by name, with the roles that they hold.")
    .option("--json", "Print one JSON array.")
    .action(({ json }: { json?: true }) =>
      openForCommand(command, async ({ database }) => {
        const { users, units } = await database.snapshot(async (db) => ({
          users: await listUsersWithRoles(db),
          units: unitPaths(await listUnits(db)),
        }));
        printResult(
          json
            ? formatJson(
                users.map((user) => ({
                  id: user.id,
                  email: user.email,
                  full_name: user.full_name,
                  is_confirmed: user.is_confirmed === 1,
                  is_enabled: user.is_enabled === 1,
                  roles: user.roles,
                  created_timestamp: formatMoment(user.created_at),
                  last_activity_timestamp: formatMoment(user.last_active_at),
                })),
              )
            : formatTable(
                [
                  { title: "NAME", text: (user) => user.full_name },
                  { title: "E-MAIL", text: (user) => user.email },
                  { title: "STATE", text: state },
                  { title: "LAST ACTIVE (UTC)", text: (user) => formatMinute(user.last_active_at) },
                  { title: "ID", text: (user) => user.id },
                  {
                    title: "ROLES",
                    text: (user) =>
                      user.roles
                        .map((held) => `${held.role} in ${units.get(held.organizational_unit_id)}`)
                        .join(", ") || "-",
                  },
                ],
                users,
              ),
        );
      }),
    );
  return addSettingOptions(command);
}

function state({ is_enabled, is_confirmed }: { is_enabled: number; is_confirmed: number }): string {
  if (is_enabled === 0) return "disabled";
  return is_confirmed === 1 ? "enabled" : "invited";
}

function enableCommand(name: string, description: string, isEnabled: boolean): Command {
  const command = new Command(name)
    .description(description)
    .argument("<id>", "The user's id; see: holdfast user list", parseId)
    .action((id: string) =>
      openForCommand(command, (opened) =>
        opened.database.change((db) => updateUser(db, opened, id, rootUnitId, () => setUserEnabled(db, id, isEnabled))),
      ),
    );
  return addSettingOptions(command);
}

/** A role, by its name or id, that a user is to hold in a unit or no longer. */
interface NamedGrant {
  userId: string;
  unitId: string;
  role: string;
}

async function grant(db: Queries, { userId, unitId, role }: NamedGrant): Promise<void> {
  const { id: roleId } = await requireRole(db, role, unitId);
  await grantRole(db, { userId, roleId, unitId });
}

/** Looks for the role among those that are held, so that one which should never have been given can be taken away. */
async function revoke(db: Queries, { userId, unitId, role }: NamedGrant): Promise<void> {
  const roleId = await requireHeldRole(db, role, { userId, unitId });
  await revokeRole(db, { userId, roleId, unitId });
}

type ChangeGrant = (db: Queries, grant: NamedGrant) => Promise<void>;

function roleCommand(name: string, description: string, change: ChangeGrant): Command {
  const command = new Command(name)
    .description(description)
    .argument("<id>", "The user's id; see: holdfast user list", parseId)
    .requiredOption("--role <role>", "The role, by name or id.", parseRole)
    .option("--ou <id>", "The organizational unit. (default: the root)", parseId)
    .addHelpText(
      "after",
      `
Roles: owner, admin, operator, reporter, viewer, and those made in the unit or above it

Example:
  $ holdfast user ${name} 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b --role viewer`,
    )
    .action((userId: string, { role, ou: unitId = rootUnitId }: { role: string; ou?: string }) =>
      openForCommand(command, (opened) =>
        opened.database.change((db) =>
          updateUser(db, opened, userId, unitId, () => change(db, { userId, unitId, role })),
        ),
      ),
    );
  return addSettingOptions(command);
}

/** Changes a user, and tells the audit trail of a unit what they were before and after, as far as that unit goes. */
async function updateUser(
  db: Queries,
  opened: OpenedForCommand,
  id: string,
  unitId: string,
  change: () => Promise<void>,
): Promise<void> {
  const before = await auditedUser(db, id, unitId);
  await keepOwner(db, change);
  const after = await auditedUser(db, id, unitId);
  await recordCommand(db, opened, { operation: "update-user", object: { type: "user", id }, unitId, before, after });
}
