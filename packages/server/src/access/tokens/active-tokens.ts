import { type Expression, type SqlBool, sql } from "kysely";
import type { Queries } from "../../database/database";

/** True if a token is good at a moment: neither revoked nor expired, nor past the end that a rotation has set. */
export function isActive(now: number): Expression<SqlBool> {
  return sql<SqlBool>`(api_tokens.revoked_at is null and api_tokens.expires_at > ${now}
    and (api_tokens.ends_at is null or api_tokens.ends_at > ${now}))`;
}

/**
 * Ends those tokens for ever that are no longer good, and lets go of what they hold: they stay in lists as what once was,
 * but keep no role and no unit in place. They count as revoked since they ended, so that no clock that is set back makes
 * one good again where it has come to be.
 */
export async function retireEnded(
  db: Queries,
  now: number,
  which: Expression<SqlBool>,
  instead: { role_id?: null; organizational_unit_id?: string } = {},
): Promise<void> {
  await db
    .updateTable("api_tokens")
    .set((eb) => ({ revoked_at: eb.fn.coalesce("revoked_at", "ends_at", "expires_at"), ...instead }))
    .where((eb) => eb.not(isActive(now)))
    .where(which)
    .execute();
}
