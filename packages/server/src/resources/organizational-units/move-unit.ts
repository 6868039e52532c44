import { refuse } from "@holdfast/api/conventions/api-error";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { KnownContents, UnitMove } from "../unit-contents";
import { refuseDepth, refuseTakenUnitName, unitNames } from "./store";

/** Compares what is above two places in the tree, these places included. */
export async function unitMoveBetween(db: Queries, from: string, to: string): Promise<UnitMove> {
  const [before, after] = [await unitAndAbove(db, from), await unitAndAbove(db, to)];
  return {
    gained: after.filter((id) => !before.includes(id)),
    lost: before.filter((id) => !after.includes(id)),
  };
}

/** Puts a unit, with everything below it, directly below another one, under the name that it is to have there. */
export async function moveUnit(
  db: Queries,
  contents: readonly KnownContents[],
  unit: { id: string; parentId: string; name: string },
  to: string,
  now: number,
): Promise<void> {
  const above = await unitAndAbove(db, to);
  refuseCircle(unit.id, above);
  const names = unitNames(unit.name);
  await refuseTakenUnitName(db, to, names.name_folded, { besides: unit.id });
  refuseDepth(above.length + (await heightOf(db, unit.id)));
  const passage = await unitMoveBetween(db, unit.parentId, to);
  for (const { followUnit } of contents) await followUnit?.(db, unit.id, passage, now);
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
