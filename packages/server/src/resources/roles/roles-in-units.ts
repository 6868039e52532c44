import { refuse } from "@holdfast/api/conventions/api-error";
import { type SqlBool, sql } from "kysely";
import { isActive, retireEnded } from "../../access/tokens/active-tokens";
import type { Queries } from "../../database/database";
import type { UnitContents } from "../unit-contents";

/** Roles that were made in a unit, and those that are held there. */
export const rolesInUnits: UnitContents = {
  noun: "roles",
  async followUnit(db, unitId, { gained, lost }, now) {
    await leaveRolesBehind(db, unitId, lost, now);
    await refuseRoleNamesOf(db, unitId, gained);
  },
  refuseMove: refuseTakenNames,
};

/**
 * Refuses to leave users and tokens with roles that cannot be held where they come to be. Tokens that are no longer good
 * lose them.
 */
async function leaveRolesBehind(db: Queries, unitId: string, lost: readonly string[], now: number): Promise<void> {
  if (lost.length === 0) return;
  const below = db.selectFrom("organizational_unit_paths").select("unit_id").where("ancestor_id", "=", unitId);
  const stranded =
    (await db
      .selectFrom("role_grants")
      .innerJoin("roles", "roles.id", "role_grants.role_id")
      .select("roles.name")
      .where("role_grants.organizational_unit_id", "in", below)
      .where("roles.organizational_unit_id", "in", lost)
      .executeTakeFirst()) ??
    (await db
      .selectFrom("api_tokens")
      .innerJoin("roles", "roles.id", "api_tokens.role_id")
      .select("roles.name")
      .where("api_tokens.organizational_unit_id", "in", below)
      .where("roles.organizational_unit_id", "in", lost)
      .where(isActive(now))
      .executeTakeFirst());
  if (stranded) {
    throw refuse(
      "stillUsed",
      `The role ${JSON.stringify(stranded.name)} is held in what would move, but could not be held there any more. Take it away first.`,
    );
  }
  await retireEnded(
    db,
    now,
    sql<SqlBool>`organizational_unit_id in ${below}
      and role_id in (select id from roles where organizational_unit_id in (${sql.join(lost)}))`,
    { role_id: null },
  );
}

/** A role's name stands for one role wherever it is usable: that has to hold where a unit comes to be, too. */
async function refuseRoleNamesOf(db: Queries, unitId: string, gained: readonly string[]): Promise<void> {
  if (gained.length === 0) return;
  const taken = await db
    .selectFrom("roles as moved")
    .innerJoin("roles as there", "there.name_folded", "moved.name_folded")
    .select("moved.name")
    .where("moved.organizational_unit_id", "in", (eb) =>
      eb.selectFrom("organizational_unit_paths").select("unit_id").where("ancestor_id", "=", unitId),
    )
    .where("there.organizational_unit_id", "in", gained)
    .executeTakeFirst();
  if (taken) throw takenRoleName(taken.name);
}

/** The name of a role that moves may stand for another one above or below the unit that takes it. */
async function refuseTakenNames(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("roles as moved")
    .innerJoin("roles as there", "there.name_folded", "moved.name_folded")
    .select("moved.name")
    .where("moved.organizational_unit_id", "=", from)
    .where("there.organizational_unit_id", "!=", from)
    .where((eb) =>
      eb.or([
        eb(
          "there.organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("ancestor_id").where("unit_id", "=", to),
        ),
        eb(
          "there.organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("unit_id").where("ancestor_id", "=", to),
        ),
      ]),
    )
    .executeTakeFirst();
  if (taken) throw takenRoleName(taken.name);
}

/** There is a role of that name where another comes to be. */
function takenRoleName(name: string) {
  return refuse(
    "alreadyThere",
    `There is another role ${JSON.stringify(name)} where this one would come to be. Rename one of them first.`,
  );
}
