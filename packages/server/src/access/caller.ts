import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Queries } from "../database/database";
import { readPermissions } from "../resources/roles/store";

/** A role held in a unit: what its holder may do there and below. */
export interface HeldRole {
  unitId: string;
  permissions: ReadonlySet<Permission>;
}

/** Who makes a request, as the database says now. */
export interface Caller {
  tokenId: string;
  /** A token's kind, or a session: somebody who has signed in. */
  kind: "personal" | "service" | "session";
  /** The user whose personal token or session it is. */
  userId: string | null;
  /** The unit that the token was made for: where a request acts that names no other. */
  unitId: string;
  roles: readonly HeldRole[];
}

/** Why there is no caller behind a token. */
export type NoCaller = "revoked" | "access ended";

/** Reads who is behind a token, and with which rights: a user's roles, or the one role of a service token. */
export async function loadCaller(db: Queries, tokenId: string): Promise<Caller | NoCaller> {
  const token = await db
    .selectFrom("api_tokens")
    .leftJoin("users", "users.id", "api_tokens.user_id")
    .leftJoin("roles", "roles.id", "api_tokens.role_id")
    .select([
      "kind",
      "user_id",
      "api_tokens.organizational_unit_id",
      "revoked_at",
      "users.is_enabled",
      "roles.permissions",
    ])
    .where("api_tokens.id", "=", tokenId)
    .executeTakeFirst();
  if (!token || token.revoked_at !== null) return "revoked";
  const roles =
    token.user_id === null
      ? [{ unitId: token.organizational_unit_id, permissions: readPermissions(token.permissions ?? "[]") }]
      : await loadRoles(db, token.user_id);
  if ((token.user_id !== null && token.is_enabled !== 1) || roles.length === 0) return "access ended";
  return { tokenId, kind: token.kind, userId: token.user_id, unitId: token.organizational_unit_id, roles };
}

async function loadRoles(db: Queries, userId: string): Promise<HeldRole[]> {
  const rows = await db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select(["role_grants.organizational_unit_id", "permissions"])
    .where("user_id", "=", userId)
    .execute();
  return rows.map((row) => ({ unitId: row.organizational_unit_id, permissions: readPermissions(row.permissions) }));
}
