import { refuse } from "@holdfast/api/conventions/api-error";
import { type SqlBool, sql } from "kysely";
import { voidLinksOfHolders } from "../../access/one-time-links";
import { isActive, retireEnded } from "../../access/tokens/active-tokens";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import { noteBulkChange } from "../../database/tasks/bulk-change";
import { refuseDepth, refuseTakenUnitName, unitNames } from "./store";

/** Units above a unit before and after it moves. */
export interface Passage {
  gained: string[];
  lost: string[];
}

/** Compares what is above two places in the tree, these places included. */
export async function passageBetween(db: Queries, from: string, to: string): Promise<Passage> {
  const [before, after] = [await unitAndAbove(db, from), await unitAndAbove(db, to)];
  return {
    gained: after.filter((id) => !before.includes(id)),
    lost: before.filter((id) => !after.includes(id)),
  };
}

/**
 * Puts a unit, with everything below it, directly below another one, under the name that it is to have there. Users who hold
 * a role there come to hold more, so open invitations to that become void.
 */
export async function moveUnit(
  db: Queries,
  unit: { id: string; parentId: string; name: string },
  to: string,
  now: number,
): Promise<void> {
  const above = await unitAndAbove(db, to);
  refuseCircle(unit.id, above);
  const names = unitNames(unit.name);
  await refuseTakenUnitName(db, to, names.name_folded, { besides: unit.id });
  refuseDepth(above.length + (await heightOf(db, unit.id)));
  const { gained, lost } = await passageBetween(db, unit.parentId, to);
  await leaveRolesBehind(db, unit.id, lost, now);
  await refuseRoleNamesOf(db, unit.id, gained);
  await voidLinksOfHolders(db, { unitIds: gained });
  await noteBulkChange(db, now);
  await db
    .deleteFrom("organizational_unit_paths")
    .where("unit_id", "in", (eb) =>
      eb
        .selectFrom("organizational_unit_paths as below")
        .select("below.unit_id")
        .where("below.ancestor_id", "=", unit.id),
    )
    .where("ancestor_id", "in", (eb) =>
      eb
        .selectFrom("organizational_unit_paths as above")
        .select("above.ancestor_id")
        .where("above.unit_id", "=", unit.id)
        .where("above.ancestor_id", "!=", unit.id),
    )
    .execute();
  await db
    .insertInto("organizational_unit_paths")
    .columns(["ancestor_id", "unit_id"])
    .expression((eb) =>
      eb
        .selectFrom("organizational_unit_paths as above")
        .innerJoin("organizational_unit_paths as below", (join) => join.on("below.ancestor_id", "=", unit.id))
        .select(["above.ancestor_id", "below.unit_id"])
        .where("above.unit_id", "=", to),
    )
    .execute();
  await db
    .updateTable("organizational_units")
    .set({ parent_id: to, ...names })
    .where("id", "=", unit.id)
    .execute();
}

/** Refuses a place that is below the unit that is to go there, or the unit itself. */
export function refuseCircle(unitId: string, aboveTarget: readonly string[]): void {
  if (aboveTarget.includes(unitId)) {
    throw refuse("wouldCircle", "An organizational unit cannot be put below itself. Name one that is elsewhere.");
  }
}

/**
 * Refuses to leave users and tokens with roles that cannot be held where they come to be. Tokens that are no longer good
 * lose them.
 */
export async function leaveRolesBehind(
  db: Queries,
  unitId: string,
  lost: readonly string[],
  now: number,
): Promise<void> {
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

/** There is a role of that name where another comes to be. */
export function takenRoleName(name: string) {
  return refuse(
    "alreadyThere",
    `There is another role ${JSON.stringify(name)} where this one would come to be. Rename one of them first.`,
  );
}

/** Number of levels of a unit and of the units below it. */
async function heightOf(db: Queries, unitId: string): Promise<number> {
  const own = await unitAndAbove(db, unitId);
  const deepest = await db
    .selectFrom("organizational_unit_paths")
    .select((eb) => eb.fn.countAll<number>().as("levels"))
    .where("unit_id", "in", (eb) =>
      eb
        .selectFrom("organizational_unit_paths as below")
        .select("below.unit_id")
        .where("below.ancestor_id", "=", unitId),
    )
    .groupBy("unit_id")
    .orderBy("levels", "desc")
    .limit(1)
    .executeTakeFirst();
  return (deepest?.levels ?? own.length) - own.length + 1;
}
