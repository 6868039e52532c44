import { randomUUID } from "node:crypto";
import { refuseField } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Insertable } from "kysely";
import { voidLinks } from "../../access/one-time-links";
import type { Queries } from "../../database/database";
import type { RoleGrantTable, UserTable } from "../../database/schema";

export interface NewUser {
  id?: string;
  email: string;
  fullName: string;
  isConfirmed: boolean;
  isEnabled: boolean;
  inviterId: string | null;
  createdAt: number;
  lastActiveAt?: number | null;
}

/** The row of a user, with what is compared and sorted by. */
export function userRow(user: NewUser): Insertable<UserTable> {
  return {
    id: user.id ?? randomUUID(),
    email: user.email,
    ...userNames(user.fullName),
    is_confirmed: Number(user.isConfirmed),
    is_enabled: Number(user.isEnabled),
    inviter_id: user.inviterId,
    created_at: user.createdAt,
    last_active_at: user.lastActiveAt ?? null,
    email_folded: foldCase(user.email),
  };
}

/** A full name, and what it is sorted and compared by. */
export function userNames(fullName: string) {
  return { full_name: fullName, name_lower: fullName.toLowerCase(), name_folded: foldCase(fullName) };
}

/** Adds a user and gives its id. An address can be used once, in any letter case. */
export async function createUser(db: Queries, user: NewUser): Promise<string> {
  const row = userRow(user);
  const taken = await db
    .selectFrom("users")
    .select("id")
    .where("email_folded", "=", row.email_folded)
    .executeTakeFirst();
  if (taken) {
    throw refuseField(
      "alreadyThere",
      "/email",
      "There is a user with that address already. Each address can be used once.",
    );
  }
  await db.insertInto("users").values(row).execute();
  return row.id;
}

/** Lets a user in or locks them out. Sessions and links end permanently: they are not restored by enabling again. */
export async function setUserEnabled(db: Queries, id: string, isEnabled: boolean): Promise<void> {
  await db
    .updateTable("users")
    .set({ is_enabled: Number(isEnabled) })
    .where("id", "=", id)
    .execute();
  if (isEnabled) return;
  await voidLinks(db, id);
  await db.deleteFrom("sessions").where("user_id", "=", id).execute();
}

/** A role that a user holds in a unit. */
export interface Grant {
  userId: string;
  roleId: string;
  unitId: string;
}

/** Gives a user a role in a unit, without asking whether it can be held there; holding it already is fine. */
export async function grantRole(db: Queries, { userId, roleId, unitId }: Grant): Promise<void> {
  await addGrants(db, userId, [{ role_id: roleId, organizational_unit_id: unitId }]);
}

/** Writes down what a user is given, without asking whether it can be held there. */
export async function addGrants(
  db: Queries,
  userId: string,
  grants: readonly Omit<RoleGrantTable, "user_id">[],
): Promise<void> {
  if (grants.length === 0) return;
  await db
    .insertInto("role_grants")
    .values(grants.map((grant) => ({ user_id: userId, ...grant })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  // The creator of an open invitation could use it, and must not gain what another caller gives now.
  await voidLinks(db, userId);
}

/** Takes a role in a unit away from a user. */
export async function revokeRole(db: Queries, { userId, roleId, unitId }: Grant): Promise<void> {
  await db
    .deleteFrom("role_grants")
    .where("user_id", "=", userId)
    .where("role_id", "=", roleId)
    .where("organizational_unit_id", "=", unitId)
    .execute();
}
