import type { Permission } from "@holdfast/api/conventions/permissions";
import type { Queries } from "../database/database";
import { readPermissions } from "./role-permissions";

/** A role held in a unit: what its holder may do there and below. */
export interface HeldRole {
  unitId: string;
  permissions: ReadonlySet<Permission>;
}

/** Who makes a request, as the database says now. */
export interface Caller {
  /** The id of the token; of a session, the hash that it is kept under. */
  tokenId: string;
  /** A token's kind, a session, or the operator at the command line. */
  kind: "personal" | "service" | "session" | "command_line";
  /** The user whose personal token or session it is. */
  userId: string | null;
  /**
   * Whose requests the rate limit counts together: a person's, whatever tokens and sessions they have, or those of a
   * service, whose token stays the same one when it is rotated.
   */
  limitedAs: string;
  /** Where a request acts that names no unit: the one that the token was made for, or the topmost of a session's user. */
  unitId: string;
  roles: readonly HeldRole[];
  /** The moment at which a token or session ends, by expiry, idleness or because it was rotated. */
  goodUntil?: number;
  /**
   * True if the caller may do what otherwise only the person can: count a new user as confirmed, make a link for one who
   * has confirmed already, and make a user's personal token. No role gives this.
   */
  mayActForPeople?: true;
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
      "first_id",
      "api_tokens.organizational_unit_id",
      "expires_at",
      "ends_at",
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
  return {
    tokenId,
    kind: token.kind,
    userId: token.user_id,
    limitedAs: token.user_id ?? token.first_id ?? tokenId,
    unitId: token.organizational_unit_id,
    roles,
    goodUntil: Math.min(token.expires_at, token.ends_at ?? token.expires_at),
  };
}

/** The roles that a user holds now. */
export async function loadRoles(db: Queries, userId: string): Promise<HeldRole[]> {
  const rows = await db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select(["role_grants.organizational_unit_id", "permissions"])
    .where("user_id", "=", userId)
    .execute();
  return rows.map((row) => ({ unitId: row.organizational_unit_id, permissions: readPermissions(row.permissions) }));
}
