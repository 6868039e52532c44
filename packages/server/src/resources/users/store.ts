import { randomUUID } from "node:crypto";
import { refuseField } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import { parseUuid } from "@holdfast/api/conventions/uuid";
import type { Insertable, Selectable } from "kysely";
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

/** Finds a user by e-mail address, in any letter case, or by id. */
export async function findUserId(db: Queries, addressOrId: string): Promise<string | undefined> {
  const id = parseUuid(addressOrId);
  const found = await db
    .selectFrom("users")
    .select("id")
    .where(id ? "id" : "email_folded", "=", id ?? foldCase(addressOrId))
    .executeTakeFirst();
  return found?.id;
}

/** A role that is held, with its name as it is compared. */
export interface NamedGrant {
  role_id: string;
  name_folded: string;
  organizational_unit_id: string;
}

/** All that a user holds, wherever. */
export async function listNamedGrants(db: Queries, userId: string): Promise<NamedGrant[]> {
  return db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select(["role_id", "name_folded", "role_grants.organizational_unit_id"])
    .where("user_id", "=", userId)
    .orderBy("role_id")
    .orderBy("role_grants.organizational_unit_id")
    .execute();
}

const listedColumns = [
  "id",
  "email",
  "full_name",
  "is_confirmed",
  "is_enabled",
  "created_at",
  "last_active_at",
] as const;

/** A user and all roles that it holds, wherever. */
export interface UserWithRoles extends Pick<Selectable<UserTable>, (typeof listedColumns)[number]> {
  roles: (Omit<RoleGrantTable, "user_id"> & { role: string })[];
}

/** All users in the order of the API's list, with their roles: for the operator, whom no unit limits. */
export async function listUsersWithRoles(db: Queries): Promise<UserWithRoles[]> {
  const users = await db.selectFrom("users").select(listedColumns).orderBy("name_lower").orderBy("id").execute();
  const grants = await db
    .selectFrom("role_grants")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select(["user_id", "roles.name as role", "role_id", "role_grants.organizational_unit_id"])
    .orderBy("roles.name")
    .orderBy("role_grants.organizational_unit_id")
    .execute();
  const held = Map.groupBy(grants, (grant) => grant.user_id);
  return users.map((user) => ({
    ...user,
    roles: (held.get(user.id) ?? []).map(({ user_id: _, ...grant }) => grant),
  }));
}
