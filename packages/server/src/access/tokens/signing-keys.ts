import { randomBytes } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { sql } from "kysely";
import type { Queries } from "../../database/database";
import type { Sealer } from "../../secrets/seal";
import { SecretChanged } from "../../secrets/secret-check";
import { isActive } from "./active-tokens";

/** A key's public face: what the JWKS shows and what tokens are checked with. */
export interface PublicSigningKey {
  kid: string;
  publicKey: JWK;
  createdAt: number;
  replacedAt: number | null;
  expiresAt: number | null;
}

const algorithm = "EdDSA";

/** Makes a new key that signs from now on. */
export async function addSigningKey(db: Queries, sealer: Sealer, now: number): Promise<string> {
  const kid = `hf-${randomBytes(9).toString("base64url")}`;
  const pair = await generateKeyPair(algorithm, { crv: "Ed25519", extractable: true });
  const publicKey: JWK = { ...(await exportJWK(pair.publicKey)), kid, alg: algorithm, use: "sig" };
  await db
    .insertInto("signing_keys")
    .values({
      kid,
      public_key: JSON.stringify(publicKey),
      sealed_private_key: sealer.seal(JSON.stringify(await exportJWK(pair.privateKey)), signingKeyPurpose(kid)),
      created_at: now,
      replaced_at: null,
      expires_at: null,
    })
    .execute();
  return kid;
}

/** Lets a new key sign from now on. The old one is kept for checking until the last token that it signed has died. */
export async function rotateSigningKey(db: Queries, sealer: Sealer, now: number): Promise<string> {
  const lastOfKey = sql<number | null>`
    (select max(expires_at) from api_tokens where api_tokens.kid = signing_keys.kid and revoked_at is null)`;
  await db
    .updateTable("signing_keys")
    .set({ replaced_at: now, expires_at: sql<number>`coalesce(${lastOfKey}, ${now})` })
    .where("replaced_at", "is", null)
    .execute();
  await db.deleteFrom("signing_keys").where("expires_at", "<=", now).execute();
  return addSigningKey(db, sealer, now);
}

/** Result of retiring a key. */
export interface Retirement {
  /** The kid of the key that takes over, where the retired one was the one that signs. */
  successor: string | undefined;
  /** The tokens that it had signed and that were good until now, by their units. */
  revoked: ReadonlyMap<string, readonly string[]>;
}

/** Removes a key, so that every token that it signed is refused from now on. A new one takes over where it has to. */
export async function retireSigningKey(db: Queries, sealer: Sealer, kid: string, now: number): Promise<Retirement> {
  const key = await db.selectFrom("signing_keys").select("replaced_at").where("kid", "=", kid).executeTakeFirst();
  if (!key) throw refuse("itemUnknown", "There is no such key, or you may not see it.");
  await db.deleteFrom("signing_keys").where("kid", "=", kid).execute();
  // They are not accepted any more, and the list has to show that.
  const revoked = await db
    .updateTable("api_tokens")
    .set({ revoked_at: now })
    .where("kid", "=", kid)
    .where(isActive(now))
    .returning(["id", "organizational_unit_id"])
    .execute();
  const byUnit = Map.groupBy(revoked, (token) => token.organizational_unit_id);
  return {
    successor: key.replaced_at === null ? await addSigningKey(db, sealer, now) : undefined,
    revoked: new Map([...byUnit].map(([unitId, tokens]) => [unitId, tokens.map(({ id }) => id).sort()])),
  };
}

/** The keys that tokens may be signed with now, the one that signs first. */
export async function listSigningKeys(db: Queries, now: number): Promise<PublicSigningKey[]> {
  const rows = await db
    .selectFrom("signing_keys")
    .select(["kid", "public_key", "created_at", "replaced_at", "expires_at"])
    .where((eb) => eb.or([eb("expires_at", "is", null), eb("expires_at", ">", now)]))
    .orderBy((eb) => eb("replaced_at", "is not", null))
    .orderBy("created_at", "desc")
    .orderBy("kid")
    .execute();
  return rows.map((row) => ({
    kid: row.kid,
    publicKey: JSON.parse(row.public_key),
    createdAt: row.created_at,
    replacedAt: row.replaced_at,
    expiresAt: row.expires_at,
  }));
}

/** The key that signs, opened. */
export async function openCurrentKey(db: Queries, sealer: Sealer) {
  const row = await db
    .selectFrom("signing_keys")
    .select(["kid", "sealed_private_key"])
    .where("replaced_at", "is", null)
    .executeTakeFirstOrThrow();
  const opened = sealer.open(row.sealed_private_key, signingKeyPurpose(row.kid));
  if (opened === undefined) throw new SecretChanged();
  return { kid: row.kid, privateKey: await importJWK(JSON.parse(opened), algorithm) };
}

/** Purpose of the seal of a private key. */
export function signingKeyPurpose(kid: string): string {
  return `signing key ${kid}`;
}
