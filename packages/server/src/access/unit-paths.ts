import type { Queries } from "../database/database";

/** The ids of a unit and of all above it; empty where there is no such unit. */
export async function unitAndAbove(db: Queries, unitId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("organizational_unit_paths")
    .select("ancestor_id")
    .where("unit_id", "=", unitId)
    .execute();
  return rows.map((row) => row.ancestor_id);
}

/** The lowest unit that all of these are below, or that is one of them. */
export async function lowestAbove(db: Queries, unitIds: readonly string[]): Promise<string> {
  const units = [...new Set(unitIds)];
  const common = db
    .selectFrom("organizational_unit_paths")
    .select("ancestor_id")
    .where("unit_id", "in", units)
    .groupBy("ancestor_id")
    .having((eb) => eb.fn.countAll(), "=", units.length);
  const lowest = await db
    .selectFrom("organizational_unit_paths")
    .select("unit_id")
    .where("unit_id", "in", common)
    .groupBy("unit_id")
    .orderBy((eb) => eb.fn.countAll(), "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return lowest.unit_id;
}

/** Of the units in which a user holds a role the one that is nearest to the root; of equally near ones the first by id. */
export async function topUnit(db: Queries, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("organizational_unit_paths")
    .select("unit_id")
    .where("unit_id", "in", (eb) =>
      eb.selectFrom("role_grants").select("organizational_unit_id").where("user_id", "=", userId),
    )
    .groupBy("unit_id")
    .orderBy((eb) => eb.fn.countAll())
    .orderBy("unit_id")
    .limit(1)
    .executeTakeFirst();
  return row?.unit_id;
}
