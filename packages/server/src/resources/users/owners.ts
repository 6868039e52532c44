import { refuse } from "@holdfast/api/conventions/api-error";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Queries } from "../../database/database";

/**
 * Makes a change and refuses it where it would leave the root without an owner: an enabled user with the role owner
 * there. One who has only been invited cannot stand in for one who can sign in.
 */
export async function keepOwner(db: Queries, change: () => Promise<void>): Promise<void> {
  const before = await bestOwner(db);
  await change();
  if ((await bestOwner(db)) >= before) return;
  throw refuse("lastOwner", "This is the last owner of the root. Make another user an owner of the root first.");
}

/** True if the root would be left without an owner, in the same sense, if this user were none any more. */
export async function isLastOwner(db: Queries, userId: string): Promise<boolean> {
  return (await bestOwner(db, userId)) < (await bestOwner(db));
}

/** 0 for no owner, 1 for one who is invited, 2 for one who has confirmed; one user can be left out. */
async function bestOwner(db: Queries, exceptUserId = ""): Promise<number> {
  const best = await db
    .selectFrom("role_grants")
    .innerJoin("users", "users.id", "role_grants.user_id")
    .select((eb) => eb.fn.max("users.is_confirmed").as("is_confirmed"))
    .where("role_grants.role_id", "=", defaultRoles.owner.id)
    .where("role_grants.organizational_unit_id", "=", rootUnitId)
    .where("users.is_enabled", "=", 1)
    .where("users.id", "!=", exceptUserId)
    .executeTakeFirst();
  // Of no rows, the greatest is null, whatever the type of the column.
  const isConfirmed: number | null = best?.is_confirmed ?? null;
  return isConfirmed === null ? 0 : isConfirmed + 1;
}
