import type { OrganizationalUnitV1 } from "@holdfast/api/resources/organizational-units";
import { sql } from "kysely";
import type { Caller } from "../../access/caller";
import type { Queries } from "../../database/database";

/** Where a unit is in the tree, as a caller may know it. */
export interface UnitPlace extends Pick<OrganizationalUnitV1, "ancestors" | "child_count"> {
  parent_id: string | null;
}

/** Adds to units what is above and below them. Units above that the caller may not see are left out, the parent too. */
export async function placeUnits<Row extends { id: string; parent_id: string | null }>(
  db: Queries,
  caller: Caller,
  rows: readonly Row[],
): Promise<(Row & UnitPlace)[]> {
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  const above = await readVisibleAbove(db, caller, ids);
  const counts = await countChildren(db, ids);
  return rows.map((row) => {
    const ancestors: UnitPlace["ancestors"] = [];
    for (let unit = parentIn(above, row); unit; unit = parentIn(above, unit)) {
      ancestors.unshift({ id: unit.id, name: unit.name });
    }
    return { ...row, parent_id: ancestors.at(-1)?.id ?? null, ancestors, child_count: counts.get(row.id) ?? 0 };
  });
}

/** The units in which the caller may read units: there, and below. */
export function readableIn({ roles }: Caller): string[] {
  return roles.filter((role) => role.permissions.has("organizational-units:read")).map((role) => role.unitId);
}

interface UnitAbove {
  id: string;
  name: string;
  parent_id: string | null;
}

function parentIn(above: ReadonlyMap<string, UnitAbove>, { parent_id }: Pick<UnitAbove, "parent_id">) {
  return parent_id === null ? undefined : above.get(parent_id);
}

/** Every unit above one of these that the caller may see. What is below a visible unit is visible, so no chain has gaps. */
async function readVisibleAbove(
  db: Queries,
  caller: Caller,
  ids: readonly string[],
): Promise<ReadonlyMap<string, UnitAbove>> {
  const { rows } = await sql<UnitAbove>`
    select id, name, parent_id from organizational_units
    where id in (select ancestor_id from organizational_unit_paths where unit_id in (${sql.join(ids)}))
      and exists (
        select 1 from organizational_unit_paths
        where unit_id = organizational_units.id and ancestor_id in (${sql.join(["", ...readableIn(caller)])}))`.execute(
    db,
  );
  return new Map(rows.map((unit) => [unit.id, unit]));
}

async function countChildren(db: Queries, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("organizational_units")
    .select(["parent_id", (eb) => eb.fn.countAll<number>().as("count")])
    .where("parent_id", "in", ids)
    .groupBy("parent_id")
    .execute();
  return new Map(rows.flatMap(({ parent_id, count }) => (parent_id === null ? [] : [[parent_id, Number(count)]])));
}
