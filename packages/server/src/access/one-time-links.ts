import { createHash, randomBytes } from "node:crypto";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Queries } from "../database/database";
import type { OneTimeLinkTable } from "../database/schema";

/** The lifetime of an invitation, in milliseconds. */
export const invitationLife = 7 * 86_400_000;

/** Why a link cannot be used: which of these it is stays unsaid. */
export const voidLinkText = "This link was used, has expired or does not exist. Ask for a new one.";

type LinkPurpose = OneTimeLinkTable["purpose"];

/** Makes what is secret about a link and gives it: only its hash is kept. What has expired is cleared away. */
export async function createLink(
  db: Queries,
  purpose: LinkPurpose,
  userId: string | null,
  now: number,
  life: number,
): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  await db.deleteFrom("one_time_links").where("expires_at", "<=", now).execute();
  await db
    .insertInto("one_time_links")
    .values({ hash: hashOf(secret), purpose, user_id: userId, created_at: now, expires_at: now + life })
    .execute();
  return secret;
}

/** Uses a link up and gives its row; nothing where it was used, has expired, is for something else or does not exist. */
export async function useLink(
  db: Queries,
  secret: string,
  purpose: LinkPurpose,
  now: number,
): Promise<Selectable<OneTimeLinkTable> | undefined> {
  return db
    .deleteFrom("one_time_links")
    .where(isOpen(secret, purpose, now))
    .returningAll()
    .executeTakeFirst();
}

/** The row of a link that could be used now, without using it up. */
export async function findLink(
  db: Queries,
  secret: string,
  purpose: LinkPurpose,
  now: number,
): Promise<Selectable<OneTimeLinkTable> | undefined> {
  return db
    .selectFrom("one_time_links")
    .selectAll()
    .where(isOpen(secret, purpose, now))
    .executeTakeFirst();
}

function isOpen(secret: string, purpose: LinkPurpose, now: number): Expression<SqlBool> {
  return sql<SqlBool>`(hash = ${hashOf(secret)} and purpose = ${purpose} and expires_at > ${now})`;
}

/** Makes all links of a user void. */
export async function voidLinks(db: Queries, userId: string): Promise<void> {
  await db.deleteFrom("one_time_links").where("user_id", "=", userId).execute();
}

/**
 * Voids the links of all users who hold a role, or any role in some units: they gain permissions, and the creator of a link
 * could use it and must not gain what another caller gives now.
 */
export async function voidLinksOfHolders(
  db: Queries,
  held: { roleId: string } | { unitIds: readonly string[] },
): Promise<void> {
  const holders = db.selectFrom("role_grants").select("user_id");
  const those =
    "roleId" in held
      ? holders.where("role_id", "=", held.roleId)
      : holders.where("organizational_unit_id", "in", ["", ...held.unitIds]);
  await db.deleteFrom("one_time_links").where("user_id", "in", those).execute();
}

/** Where a person follows an invitation. The secret is behind the #, so that no server's log ever has it. */
export function invitationLink(baseUrl: string, secret: string): string {
  return `${baseUrl}/invitation#${secret}`;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
