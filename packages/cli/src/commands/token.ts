import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { notedBaseUrl } from "@holdfast/server/access/tokens/noted-base-url";
import { defaultTokenLife } from "@holdfast/server/access/tokens/token-life";
import type { Queries } from "@holdfast/server/database/database";
import { presentApiTokenV1 } from "@holdfast/server/resources/api-tokens/present";
import {
  createToken,
  listTokens,
  type NewToken,
  revokeToken,
  type TokenRow,
} from "@holdfast/server/resources/api-tokens/store";
import { listUnits } from "@holdfast/server/resources/organizational-units/store";
import { requireRole } from "@holdfast/server/resources/roles/store";
import { listUsersWithRoles, type UserWithRoles } from "@holdfast/server/resources/users/store";
import { defaultBaseUrl } from "@holdfast/server/settings/settings";
import { Command, Option } from "commander";
import { parseId, parseLife, parseName, parseRole } from "../argument-parsers";
import { openForCommand, openOrMakeForCommand } from "../open-for-command";
import { formatJson, formatMinute, formatMoment, formatTable, onOneLine, printResult } from "../output";
import { recordCommand } from "../record-command";
import { addSettingOptions } from "../settings-options";
import { unitPaths } from "../unit-paths";

const defaultServiceRole = "viewer";

export function tokenCommand(): Command {
  return new Command("token")
    .description("API tokens: what every request carries.")
    .addCommand(createCommand())
    .addCommand(listCommand())
    .addCommand(revokeCommand());
}

interface NewTokenOptions {
  kind: "service" | "personal";
  name: string;
  role?: string;
  ou?: string;
  user?: string;
  expires?: number;
}

function createCommand(): Command {
  const command = new Command("create")
    .description("Create a token and print it. It is shown this once and kept nowhere.")
    .addOption(
      new Option("--kind <kind>", "A service token has a role of its own; a personal token acts as its user.")
        .choices(["service", "personal"])
        .makeOptionMandatory(),
    )
    .requiredOption("--name <name>", "What it is for, as lists show it.", parseName)
    .option("--role <role>", `Role of a service token, by name or id. (default: ${defaultServiceRole})`, parseRole)
    .option("--ou <id>", "Organizational unit in which it acts, with all below. (default: the root)", parseId)
    .option("--user <id>", "User that a personal token acts as; see: holdfast user list", parseId)
    .option("--expires <time>", "How long it lives: a number and s, m, h or d, at most 730d. (default: 90d)", parseLife)
    .addHelpText(
      "after",
      `
Roles: owner, admin, operator, reporter, viewer, and those made in the unit or above it

Examples:
  $ TOKEN=$(holdfast token create --kind service --name first --role owner)
  $ holdfast token create --kind service --name nightly-report --expires 30d
  $ holdfast token create --kind personal --name laptop --user 3f2b8c1e-5d4a-4e6f-9a7b-0c1d2e3f4a5b`,
    )
    .action((options: NewTokenOptions) => {
      const findHolder = chooseHolder(command, options);
      return openOrMakeForCommand(command, async (opened) => {
        const { database, sealer, settings, now } = opened;
        const unitId = options.ou ?? rootUnitId;
        const { token } = await database.change(async (db) => {
          const created = await createToken(db, sealer, {
            baseUrl: settings.base_url ?? (await notedBaseUrl(db)) ?? defaultBaseUrl(settings.host, settings.port),
            now,
            token: {
              name: options.name,
              unitId,
              holder: await findHolder(db),
              createdBy: null,
              life: options.expires ?? defaultTokenLife,
            },
          });
          await recordCommand(db, opened, {
            operation: "create-api-token",
            object: { type: "api-token", id: created.id },
            unitId,
            after: await describeToken(db, created.id),
          });
          return created;
        });
        printResult(token);
      });
    });
  return addSettingOptions(command);
}

type FindHolder = (db: Queries) => Promise<NewToken["holder"]>;

/** Refuses options that do not go together before anything is opened. */
function chooseHolder(command: Command, { kind, role, user, ou }: NewTokenOptions): FindHolder {
  if (kind === "service") {
    if (user !== undefined) command.error("a service token has no user: leave --user out, or choose --kind personal");
    return async (db) => ({ kind, roleId: (await requireRole(db, role ?? defaultServiceRole, ou)).id });
  }
  if (role !== undefined) command.error("a personal token has the roles of its user: leave --role out");
  if (user === undefined) command.error("a personal token needs its user: name one with --user");
  return async () => ({ kind, userId: user });
}

function listCommand(): Command {
  const command = new Command("list")
    .description("List all tokens, newest first. What could be used as one is never shown.")
    .option("--json", "Print one JSON array.")
    .action(({ json }: { json?: true }) =>
      openForCommand(command, async ({ database, now }) => {
        const { tokens, units, users } = await database.snapshot(async (db) => ({
          tokens: await listTokens(db),
          units: unitPaths(await listUnits(db)),
          users: new Map((await listUsersWithRoles(db)).map((user) => [user.id, user])),
        }));
        const state = (token: TokenRow) => tokenState(token, users, now);
        const creator = ({ created_by }: TokenRow) => (created_by === null ? undefined : users.get(created_by)?.email);
        printResult(
          json
            ? formatJson(
                tokens.map((token) => ({
                  id: token.id,
                  name: token.name,
                  kind: token.kind,
                  organizational_unit_id: token.organizational_unit_id,
                  role: token.role,
                  user_id: token.user_id,
                  created_by: token.created_by,
                  created_timestamp: formatMoment(token.created_at),
                  expires_timestamp: formatMoment(token.expires_at),
                  revoked_timestamp: formatMoment(token.revoked_at ?? token.ends_at),
                  last_used_timestamp: formatMoment(token.last_used_at),
                  state: state(token),
                })),
              )
            : formatTable(
                [
                  { title: "NAME", text: (token) => token.name },
                  { title: "KIND", text: (token) => token.kind },
                  { title: "OU", text: (token) => units.get(token.organizational_unit_id) ?? "-" },
                  { title: "CREATOR", text: (token) => creator(token) ?? "-" },
                  { title: "CREATED (UTC)", text: (token) => formatMinute(token.created_at) },
                  { title: "EXPIRES", text: (token) => formatMinute(token.expires_at) },
                  { title: "LAST USED", text: (token) => formatMinute(token.last_used_at) },
                  { title: "STATE", text: state },
                  { title: "ID", text: (token) => token.id },
                ],
                tokens,
              ),
        );
      }),
    );
  return addSettingOptions(command);
}

/**
 * A personal token is asleep while its user may not come in: disabled, or without any role. One that was rotated is ending
 * for as long as it is still good.
 */
type TokenState = "active" | "asleep" | "ending" | "expired" | "revoked";

function tokenState(token: TokenRow, users: ReadonlyMap<string, UserWithRoles>, now: number): TokenState {
  if (token.revoked_at !== null || (token.ends_at !== null && token.ends_at <= now)) return "revoked";
  if (token.expires_at <= now) return "expired";
  const user = token.user_id === null ? undefined : users.get(token.user_id);
  if (user && (user.is_enabled !== 1 || user.roles.length === 0)) return "asleep";
  return token.ends_at === null ? "active" : "ending";
}

function revokeCommand(): Command {
  const command = new Command("revoke")
    .description("Revoke a token: the service refuses it from the next request on. This cannot be undone.")
    .argument("<id>", "The token's id; see: holdfast token list", parseId)
    .action((id: string) =>
      openForCommand(command, async (opened) => {
        const { name, revokedAt, isNew } = await opened.database.change(async (db) => {
          const before = await describeToken(db, id);
          const revoked = await revokeToken(db, id, opened.now);
          const after = await describeToken(db, id);
          const unitId = after?.organizational_unit_id ?? null;
          const object = { type: "api-token", id };
          await recordCommand(db, opened, { operation: "revoke-api-token", object, unitId, before, after });
          return revoked;
        });
        const state = isNew ? "is revoked" : "was revoked before";
        process.stderr.write(
          `The token ${onOneLine(name)} ${state}: it is refused from ${formatMoment(revokedAt)} on.\n`,
        );
      }),
    );
  return addSettingOptions(command);
}

/** A token for the audit trail, as the API shows it; nothing where there is none. */
async function describeToken(db: Queries, id: string) {
  const row = await db.selectFrom("api_tokens").selectAll().where("id", "=", id).executeTakeFirst();
  return row && presentApiTokenV1(row);
}
