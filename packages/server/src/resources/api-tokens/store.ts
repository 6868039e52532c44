import { randomUUID } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { SignJWT } from "jose";
import { openCurrentKey } from "../../access/tokens/signing-keys";
import { tokenHeader } from "../../access/tokens/token-format";
import { longestTokenLife } from "../../access/tokens/token-life";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { Sealer } from "../../secrets/seal";
import { Refusal } from "../../settings/refusal";
import { requireUnit } from "../organizational-units/store";
import { requireRole } from "../roles/store";
import { requireUser } from "../users/store";
import type { ApiTokenRow } from "./list-tokens";

export interface NewToken {
  name: string;
  unitId: string;
  /** Whose token it is, or the role that a service token has. */
  holder: { kind: "personal"; userId: string } | { kind: "service"; roleId: string };
  createdBy: string | null;
  /** Milliseconds. */
  life: number;
}

/** Makes a token. What is returned is the only copy of it that there will ever be. */
export async function createToken(
  db: Queries,
  sealer: Sealer,
  { baseUrl, now, token }: { baseUrl: string; now: number; token: NewToken },
): Promise<{ id: string; token: string }> {
  if (token.life < 1000 || token.life > longestTokenLife) {
    throw new Refusal("A token lives for at least one second and at most two years. Choose for example 30d.");
  }
  await requireUnit(db, token.unitId);
  const { holder } = token;
  if (holder.kind === "personal") await requireCovered(db, holder.userId, token.unitId);
  else await requireRole(db, holder.roleId, token.unitId);
  const id = randomUUID();
  const issuedAt = Math.floor(now / 1000);
  const expiresAt = Math.floor((now + token.life) / 1000);
  const { kid, privateKey } = await openCurrentKey(db, sealer);
  await db
    .insertInto("api_tokens")
    .values({
      id,
      name: token.name,
      name_folded: foldCase(token.name),
      kind: holder.kind,
      organizational_unit_id: token.unitId,
      user_id: holder.kind === "personal" ? holder.userId : null,
      role_id: holder.kind === "service" ? holder.roleId : null,
      created_by: token.createdBy,
      kid,
      created_at: now,
      expires_at: expiresAt * 1000,
      revoked_at: null,
      last_used_at: null,
    })
    .execute();
  // The claims in the order of the schema that they are read with: a token has exactly one spelling.
  const signed = await new SignJWT({
    iss: baseUrl,
    aud: baseUrl,
    sub: holder.kind === "personal" ? holder.userId : id,
    jti: id,
    iat: issuedAt,
    nbf: issuedAt,
    exp: expiresAt,
    kind: holder.kind,
    ou: token.unitId,
  })
    .setProtectedHeader(tokenHeader(kid))
    .sign(privateKey);
  return { id, token: signed };
}

async function requireCovered(db: Queries, userId: string, unitId: string): Promise<void> {
  await requireUser(db, userId);
  const held = await db
    .selectFrom("role_grants")
    .select("role_id")
    .where("user_id", "=", userId)
    .where("organizational_unit_id", "in", await unitAndAbove(db, unitId))
    .executeTakeFirst();
  if (!held) {
    throw new Refusal(
      "The user holds no role in that organizational unit or above it. Name a unit with --ou, or grant a role first with: holdfast user grant",
    );
  }
}

export interface TokenRow extends Omit<ApiTokenRow, "role_id" | "last_used_address" | "last_used_client"> {
  role: string | null;
}

/** All tokens, newest first, without anything that could be used as one. */
export async function listTokens(db: Queries): Promise<TokenRow[]> {
  return db
    .selectFrom("api_tokens")
    .leftJoin("roles", "roles.id", "api_tokens.role_id")
    .select([
      "api_tokens.id",
      "api_tokens.name",
      "kind",
      "api_tokens.organizational_unit_id",
      "user_id",
      "roles.name as role",
      "created_by",
      "api_tokens.created_at",
      "expires_at",
      "ends_at",
      "revoked_at",
      "last_used_at",
    ])
    .orderBy("api_tokens.created_at", "desc")
    .orderBy("api_tokens.id")
    .execute();
}

/** A token that is revoked, by this very call or since an earlier one. */
export interface RevokedToken {
  name: string;
  revokedAt: number;
  isNew: boolean;
}

/** Revokes a token, from this moment on; revoking it again changes nothing. */
export async function revokeToken(db: Queries, id: string, now: number): Promise<RevokedToken> {
  const found = await db
    .selectFrom("api_tokens")
    .select(["name", "revoked_at"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (!found) throw new Refusal(`There is no token ${id}. See: holdfast token list`);
  const { name, revoked_at } = found;
  if (revoked_at !== null) return { name, revokedAt: revoked_at, isNew: false };
  await db.updateTable("api_tokens").set({ revoked_at: now }).where("id", "=", id).execute();
  return { name, revokedAt: now, isNew: true };
}
