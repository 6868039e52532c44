import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { createLink } from "../access/one-time-links";
import { recordAction } from "../audit/record-action";
import type { Queries } from "../database/database";
import type { SignInParts } from "./sign-in-parts";

/** For how long the link is good, in milliseconds. */
const life = 3_600_000;

/** Creates the link for the first owner; nothing if there is an owner. Older links become void. */
export async function makeFirstOwnerLink(
  { database, sealer }: Pick<SignInParts, "database" | "sealer">,
  baseUrl: string,
  now: number,
): Promise<string | undefined> {
  if (await database.snapshot(hasOwner)) return undefined;
  const secret = await database.change(async (db) => {
    if (await hasOwner(db)) return undefined;
    await voidFirstOwnerLinks(db);
    const action = { operation: "invite-first-owner", object: null, unitId: rootUnitId };
    await recordAction(db, { kind: "system", sealer, at: now }, action);
    return createLink(db, "first_owner", null, now, life);
  });
  // Behind the #, so that no server's log ever has it.
  return secret === undefined ? undefined : `${baseUrl}/first-owner#${secret}`;
}

/** True if a user holds the role owner in the root, invited users included. */
export async function hasOwner(db: Queries): Promise<boolean> {
  const owner = await db
    .selectFrom("role_grants")
    .select("user_id")
    .where("role_id", "=", defaultRoles.owner.id)
    .where("organizational_unit_id", "=", rootUnitId)
    .limit(1)
    .executeTakeFirst();
  return owner !== undefined;
}

export async function voidFirstOwnerLinks(db: Queries): Promise<void> {
  await db.deleteFrom("one_time_links").where("purpose", "=", "first_owner").execute();
}
