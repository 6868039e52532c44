import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { SessionView } from "@holdfast/api/session/session-paths";
import { csrfTokenOf } from "../access/csrf";
import type { NewSession } from "../access/sessions";
import { topUnit } from "../access/unit-paths";
import type { Queries } from "../database/database";
import { findAccount } from "./accounts";

/** A session as its user sees it. */
export async function presentSession(
  db: Queries,
  userId: string,
  { cookie, expiresAt }: NewSession,
): Promise<SessionView> {
  const account = await findAccount(db, userId);
  if (!account) throw new Error("A session has lost its user.");
  const grants = await db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .innerJoin("organizational_units", "organizational_units.id", "role_grants.organizational_unit_id")
    .select([
      "role_grants.organizational_unit_id",
      "organizational_units.name as unit_name",
      "role_id",
      "roles.name as role_name",
    ])
    .where("user_id", "=", userId)
    .orderBy("organizational_units.name_lower")
    .orderBy("role_grants.organizational_unit_id")
    .orderBy("roles.name_lower")
    .execute();
  const units = Map.groupBy(grants, (grant) => grant.organizational_unit_id);
  return {
    user: {
      id: account.id,
      email: account.email,
      full_name: account.full_name,
      time_zone: account.time_zone,
      has_password: account.password_hash !== null,
      has_totp: account.totp_confirmed_at !== null,
    },
    organizational_unit_id: (await topUnit(db, userId)) ?? null,
    organizational_units: [...units].map(([organizational_unit_id, held]) => ({
      organizational_unit_id,
      name: held[0]?.unit_name ?? "",
      roles: held.map(({ role_id, role_name }) => ({ role_id, name: role_name })),
    })),
    csrf_token: csrfTokenOf(cookie),
    expires_timestamp: formatTimestamp(expiresAt),
  };
}
