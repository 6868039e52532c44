import { randomUUID } from "node:crypto";
import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Selectable } from "kysely";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { OrganizationalUnitTable } from "../../database/schema";

/** Each unit is noted with each one above it: without a limit, a long chain would fill the database. */
const maxLevels = 32;

const columns = ["id", "parent_id", "name", "created_at", "stale_after_days"] as const;

export type UnitRow = Pick<Selectable<OrganizationalUnitTable>, (typeof columns)[number]>;

/** Adds a unit below another; only the root has none above it. */
export async function createUnit(
  db: Queries,
  unit: { id?: string; name: string; parentId: string | null; createdAt: number },
): Promise<string> {
  const id = unit.id ?? randomUUID();
  const names = unitNames(unit.name);
  if (unit.parentId !== null) {
    await refuseTakenUnitName(db, unit.parentId, names.name_folded, { field: "/name" });
    refuseDepth((await unitAndAbove(db, unit.parentId)).length + 1);
  }
  await db
    .insertInto("organizational_units")
    .values({ id, parent_id: unit.parentId, ...names, created_at: unit.createdAt })
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

/** Refuses a name that another unit directly below the same one has, in any letter case; the field is where it was sent. */
export async function refuseTakenUnitName(
  db: Queries,
  parentId: string,
  nameFolded: string,
  { besides = "", ...about }: { besides?: string; field?: string },
): Promise<void> {
  const taken = await db
    .selectFrom("organizational_units")
    .select("id")
    .where("parent_id", "=", parentId)
    .where("name_folded", "=", nameFolded)
    .where("id", "!=", besides)
    .executeTakeFirst();
  if (taken) {
    const message = "There is an organizational unit of that name there already. Choose another name.";
    throw new ApiError([{ name: "alreadyThere", message, ...about }]);
  }
}

/** Refuses a tree of more levels than there may be. */
export function refuseDepth(levels: number): void {
  if (levels > maxLevels) {
    throw refuse(
      "stateConflict",
      `Organizational units can be ${maxLevels} levels deep, the root included. Choose one further up.`,
    );
  }
}

/** Gives a unit another name. */
export async function renameUnit(
  db: Queries,
  unit: { id: string; parentId: string | null },
  name: string,
): Promise<void> {
  const names = unitNames(name);
  if (unit.parentId !== null) {
    await refuseTakenUnitName(db, unit.parentId, names.name_folded, { besides: unit.id, field: "/name" });
  }
  await db.updateTable("organizational_units").set(names).where("id", "=", unit.id).execute();
}

/** Sets after how many days without a good backup what nothing watches is stale in a unit. */
export async function setStaleDays(db: Queries, id: string, days: number | null): Promise<void> {
  await db.updateTable("organizational_units").set({ stale_after_days: days }).where("id", "=", id).execute();
}

/** Finds a unit by its id, wherever it is. */
export async function findUnit(db: Queries, id: string): Promise<UnitRow | undefined> {
  return db.selectFrom("organizational_units").select(columns).where("id", "=", id).executeTakeFirst();
}

/** All units, by name and then by id. */
export async function listUnits(db: Queries): Promise<UnitRow[]> {
  return db.selectFrom("organizational_units").select(columns).orderBy("name").orderBy("id").execute();
}
