import { refuse } from "@holdfast/api/conventions/api-error";
import { unitAndAbove } from "../../access/unit-paths";
import { isPostgres } from "../../database/adapter";
import type { Queries } from "../../database/database";
import type { KnownContents, UnitBelow } from "../unit-contents";
import { moveUnit, refuseCircle, unitMoveBetween } from "./move-unit";

const list = new Intl.ListFormat("en-GB");

/** Removes a unit that has nothing in it any more. */
export async function removeUnit(
  db: Queries,
  contents: readonly KnownContents[],
  unit: UnitBelow,
  now: number,
): Promise<void> {
  await lockUnit(db, contents, unit.id);
  const held = await whatIsIn(db, contents, unit.id, now);
  if (held.length > 0) {
    throw refuse(
      "stillUsed",
      `There are ${list.format(held)} in this organizational unit. Remove them, or name another unit that takes everything: move_to.`,
    );
  }
  for (const { forget } of contents) await forget?.(db, unit, now);
  await db.deleteFrom("organizational_unit_paths").where("unit_id", "=", unit.id).execute();
  await db.deleteFrom("organizational_units").where("id", "=", unit.id).execute();
}

/** Moves everything that is in a unit to another one that is not below it. */
export async function moveUnitContents(
  db: Queries,
  contents: readonly KnownContents[],
  unit: UnitBelow,
  to: string,
  now: number,
): Promise<void> {
  refuseCircle(unit.id, await unitAndAbove(db, to));
  await lockUnit(db, contents, unit.id);
  const passage = await unitMoveBetween(db, unit.parentId, to);
  for (const { followUnit } of contents) await followUnit?.(db, unit.id, passage, now);
  for (const { refuseMove } of contents) await refuseMove?.(db, unit.id, to);
  await refuseChildNames(db, unit.id, to);
  for (const { move } of contents) await move(db, unit.id, to, now);
  // After the roles of this unit, which may be held below it.
  const children = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("parent_id", "=", unit.id)
    .execute();
  for (const child of children) {
    await moveUnit(db, contents, { id: child.id, parentId: unit.id, name: child.name }, to, now);
  }
}

/** Of many units that move at once, the message names the one that cannot. */
async function refuseChildNames(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("organizational_units as moved")
    .innerJoin("organizational_units as there", "there.name_folded", "moved.name_folded")
    .select("moved.name")
    .where("moved.parent_id", "=", from)
    .where("there.parent_id", "=", to)
    .orderBy("moved.name")
    .executeTakeFirst();
  if (!taken) return;
  throw refuse(
    "alreadyThere",
    `There is another organizational unit ${JSON.stringify(taken.name)} in the one that takes everything. Rename one of them first.`,
  );
}

/** Nouns for everything that is in a unit. */
async function whatIsIn(
  db: Queries,
  contents: readonly KnownContents[],
  unitId: string,
  now: number,
): Promise<string[]> {
  const child = await db
    .selectFrom("organizational_units")
    .select("id")
    .where("parent_id", "=", unitId)
    .executeTakeFirst();
  const found = child ? ["other units"] : [];
  for (const { noun, areIn } of contents) if (await areIn(db, unitId, now)) found.push(noun);
  return found;
}

/** Waits for those who are adding to a unit, and blocks others until the transaction ends. SQLite has one writer anyway. */
async function lockUnit(db: Queries, contents: readonly KnownContents[], unitId: string): Promise<void> {
  if (!isPostgres(db)) return;
  await db.selectFrom("organizational_units").select("id").where("id", "=", unitId).forUpdate().execute();
  for (const { lock } of contents) await lock?.(db, unitId);
}
