import type { Queries } from "@holdfast/server/database/database";

/** A user for the audit trail, with all roles that they hold; nothing where there is no such user. */
export async function describeUser(db: Queries, id: string) {
  const user = await db
    .selectFrom("users")
    .select(["id", "email", "full_name", "is_confirmed", "is_enabled"])
    .where("id", "=", id)
    .executeTakeFirst();
  const roles = await db
    .selectFrom("role_grants")
    .select(["role_id", "organizational_unit_id"])
    .where("user_id", "=", id)
    .orderBy("role_id")
    .orderBy("organizational_unit_id")
    .execute();
  return user && { ...user, is_confirmed: user.is_confirmed === 1, is_enabled: user.is_enabled === 1, roles };
}
