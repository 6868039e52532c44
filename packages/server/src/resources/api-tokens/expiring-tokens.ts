import { expiryNotice, maxExpiryNoticeMs } from "@holdfast/api/resources/token-expiry";
import { type Selectable, sql } from "kysely";
import { isActive } from "../../access/tokens/active-tokens";
import type { Queries } from "../../database/database";
import type { ApiTokenTable } from "../../database/schema";
import type { OwnAddresses } from "../../operations/operation-parts";

const day = 86_400_000;

/** A token that expires soon, and that somebody can still use until then. */
export type ExpiringToken = Pick<
  Selectable<ApiTokenTable>,
  | "id"
  | "name"
  | "kind"
  | "organizational_unit_id"
  | "user_id"
  | "role_id"
  | "created_at"
  | "expires_at"
  | "last_used_at"
  | "expiry_announced_days"
>;

/**
 * Finds the tokens that expire within the longest notice. Left out are those that nobody needs to renew: revoked or replaced ones,
 * those of users who are disabled or hold no role, and those issued for an address that the service no longer has.
 */
export async function findExpiringTokens(
  db: Queries,
  { baseUrl, baseUrlAliases }: OwnAddresses,
  now: number,
): Promise<ExpiringToken[]> {
  return db
    .selectFrom("api_tokens")
    .select(["id", "name", "kind", "organizational_unit_id", "user_id", "role_id", "created_at", "expires_at"])
    .select(["last_used_at", "expiry_announced_days"])
    .where(isActive(now))
    .where("ends_at", "is", null)
    .where("expires_at", "<=", now + maxExpiryNoticeMs)
    .where((eb) => eb.or([eb("base_url", "is", null), eb("base_url", "in", [baseUrl, ...baseUrlAliases])]))
    .where((eb) =>
      eb.or([
        eb("user_id", "is", null),
        sql<boolean>`exists (select 1 from users join role_grants on role_grants.user_id = users.id
          where users.id = api_tokens.user_id and users.is_enabled = 1)`,
      ]),
    )
    .orderBy("expires_at")
    .orderBy("id")
    .execute();
}

/** The notice that is due for a token now, in days before its expiry. Each is given once; what was slept through, not at all. */
export function dueNotice(token: ExpiringToken, now: number): number | undefined {
  const notice = reachedNotice(token, now);
  const { expiry_announced_days: announced } = token;
  return notice === undefined || (announced !== null && announced <= notice) ? undefined : notice;
}

function reachedNotice({ created_at, expires_at }: ExpiringToken, now: number): number | undefined {
  return expiryNotice({ createdAt: created_at, expiresAt: expires_at }, now);
}

/** Notes that notices were given. */
export async function noteNotices(db: Queries, days: number, ids: readonly string[]): Promise<void> {
  await db.updateTable("api_tokens").set({ expiry_announced_days: days }).where("id", "in", ids).execute();
}

/** Days that are left, rounded up. */
export function daysLeft({ expires_at }: Pick<ExpiringToken, "expires_at">, now: number): number {
  return Math.max(0, Math.ceil((expires_at - now) / day));
}

/** Number of tokens that expire soon, and the time at which the next token expires. */
export async function countExpiring(
  db: Queries,
  addresses: OwnAddresses,
  now: number,
): Promise<{ count: number; nextAt: number | null }> {
  const found = await findExpiringTokens(db, addresses, now);
  const expiring = found.filter((token) => reachedNotice(token, now) !== undefined);
  const { next } = await db
    .selectFrom("api_tokens")
    .select((eb) => eb.fn.min<number | null>("expires_at").as("next"))
    .where(isActive(now))
    .where("ends_at", "is", null)
    .executeTakeFirstOrThrow();
  return { count: expiring.length, nextAt: next === null ? null : Number(next) };
}
