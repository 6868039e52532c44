import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { CallerV1 } from "@holdfast/api/resources/caller";
import { type Caller, loadCaller, loadRoles } from "../../access/caller";
import { requireCovered } from "../../access/rights";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { ListScope } from "../../lists/list-source";
import type { OwnAddresses } from "../../operations/operation-parts";

/** Reads who is calling, and what they may do in the unit, all as of one moment. */
export async function readCaller(
  db: Queries,
  { caller, unitId }: ListScope,
  { baseUrl, baseUrlAliases }: OwnAddresses,
): Promise<CallerV1> {
  const permissions = requireCovered({ roles: await rolesNow(db, caller) }, await unitAndAbove(db, unitId));
  const unit = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("id", "=", unitId)
    .executeTakeFirstOrThrow();
  return {
    kind: kindOf(caller),
    user: await readUser(db, caller),
    token: await readToken(db, caller),
    organizational_unit: unit,
    permissions: [...permissions].sort(),
    base_url: baseUrl,
    base_url_aliases: [...baseUrlAliases],
    _links: { self: getLink("/caller") },
  };
}

/** Roles may have been taken since the request was let in. */
async function rolesNow(db: Queries, { kind, userId, tokenId }: Caller): Promise<Caller["roles"]> {
  if (kind === "session" && userId !== null) return loadRoles(db, userId);
  const found = await loadCaller(db, tokenId);
  return typeof found === "string" ? [] : found.roles;
}

function kindOf({ kind }: Caller): CallerV1["kind"] {
  if (kind === "command_line") throw new Error("The command line makes no requests.");
  return kind;
}

async function readUser(db: Queries, { userId }: Caller): Promise<CallerV1["user"]> {
  if (userId === null) return null;
  const found = await db
    .selectFrom("users")
    .select(["id", "email", "full_name"])
    .where("id", "=", userId)
    .executeTakeFirst();
  return found ?? null;
}

async function readToken(db: Queries, { kind, tokenId }: Caller): Promise<CallerV1["token"]> {
  if (kind === "session") return null;
  const token = await db
    .selectFrom("api_tokens")
    .select(["id", "name", "expires_at", "ends_at"])
    .where("id", "=", tokenId)
    .executeTakeFirst();
  if (!token) return null;
  const end = Math.min(token.expires_at, token.ends_at ?? token.expires_at);
  return { id: token.id, name: token.name, expires_timestamp: formatTimestamp(end) };
}
