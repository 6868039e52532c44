import { randomUUID } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { SignJWT } from "jose";
import { isActive } from "../../access/tokens/active-tokens";
import { openCurrentKey } from "../../access/tokens/signing-keys";
import { tokenHeader } from "../../access/tokens/token-format";
import type { Queries } from "../../database/database";
import type { OwnAddresses } from "../../operations/operation-parts";
import type { Sealer } from "../../secrets/seal";
import type { ApiTokenRow } from "./list-tokens";

/** Number of addresses that a warning names. */
const maxNamedAddresses = 10;

export interface NewToken {
  name: string;
  unitId: string;
  /** Whose token it is, or the role that a service token has. */
  holder: { kind: "personal"; userId: string } | { kind: "service"; roleId: string };
  createdBy: string | null;
  /** Milliseconds. */
  life: number;
  /** For one that replaces another: the first of the chain, and when that was given, if it was a renewal. */
  chain?: { firstId: string; grantedAt: number };
}

/** Makes a token, without asking whether it may be made: see mintToken. What is returned is the only copy of it that there will ever be. */
export async function createToken(
  db: Queries,
  sealer: Sealer,
  { baseUrl, now, token }: { baseUrl: string; now: number; token: NewToken },
): Promise<{ id: string; token: string }> {
  const { holder } = token;
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
      base_url: baseUrl,
      created_at: now,
      expires_at: expiresAt * 1000,
      revoked_at: null,
      last_used_at: null,
      first_id: token.chain?.firstId ?? null,
      granted_at: token.chain?.grantedAt ?? null,
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

export interface TokenRow
  extends Omit<ApiTokenRow, "name_folded" | "role_id" | "base_url" | "last_used_address" | "last_used_client"> {
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

/** Counts the tokens that are refused only because of the address that they were issued for, by that address. */
export async function countForeignTokens(
  db: Queries,
  { baseUrl, baseUrlAliases }: OwnAddresses,
  now: number,
): Promise<{ address: string; count: number }[]> {
  const rows = await db
    .selectFrom("api_tokens")
    .select((eb) => ["base_url", eb.fn.countAll<number>().as("count")])
    .where(isActive(now))
    .where("base_url", "not in", [baseUrl, ...baseUrlAliases])
    .groupBy("base_url")
    .orderBy("base_url")
    .limit(maxNamedAddresses)
    .execute();
  return rows.map(({ base_url, count }) => ({ address: base_url ?? "", count: Number(count) }));
}

/** Revokes a token, from this moment on; revoking it again changes nothing. */
export async function revokeToken(db: Queries, id: string, now: number): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set({ revoked_at: now })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .execute();
}
