import { randomUUID } from "node:crypto";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Queries } from "../../database/database";
import { Refusal } from "../../refusal";

/** The unit that all others are below. */
export const rootUnitId = "00000000-0000-0000-0000-000000000000";

export interface UnitRow {
  id: string;
  parent_id: string | null;
  name: string;
  created_at: number;
}

/** Adds a unit below another; only the root has none above it. */
export async function createUnit(
  db: Queries,
  unit: { id?: string; name: string; parentId: string | null; createdAt: number },
): Promise<string> {
  const id = unit.id ?? randomUUID();
  if (unit.parentId !== null) await requireUnit(db, unit.parentId);
  await db
    .insertInto("organizational_units")
    .values({ id, parent_id: unit.parentId, ...unitNames(unit.name), created_at: unit.createdAt })
    .execute();
  await db.insertInto("organizational_unit_paths").values({ ancestor_id: id, unit_id: id }).execute();
  if (unit.parentId !== null) {
    await db
      .insertInto("organizational_unit_paths")
      .columns(["ancestor_id", "unit_id"])
      .expression((eb) =>
        eb
          .selectFrom("organizational_unit_paths")
          .select(["ancestor_id", eb.val(id).as("unit_id")])
          .where("unit_id", "=", unit.parentId),
      )
      .execute();
  }
  return id;
}

/** A unit's name, and what it is sorted and compared by. */
export function unitNames(name: string) {
  return { name, name_lower: name.toLowerCase(), name_folded: foldCase(name) };
}

/** All units, by name and then by id. */
export async function listUnits(db: Queries): Promise<UnitRow[]> {
  return db
    .selectFrom("organizational_units")
    .select(["id", "parent_id", "name", "created_at"])
    .orderBy("name")
    .orderBy("id")
    .execute();
}

/** The ids of a unit and of all above it; empty where there is no such unit. */
export async function unitAndAbove(db: Queries, unitId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("organizational_unit_paths")
    .select("ancestor_id")
    .where("unit_id", "=", unitId)
    .execute();
  return rows.map((row) => row.ancestor_id);
}

export async function requireUnit(db: Queries, id: string): Promise<void> {
  const found = await db.selectFrom("organizational_units").select("id").where("id", "=", id).executeTakeFirst();
  if (!found) throw new Refusal(`There is no organizational unit ${id}. See: holdfast ou list`);
}
