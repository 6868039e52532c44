import type { Condition } from "@holdfast/api/conventions/filter";
import type { OrganizationalUnitFilterField } from "@holdfast/api/resources/organizational-units";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { Caller } from "../../access/caller";
import { unitAndAbove } from "../../access/unit-paths";
import type { Queries } from "../../database/database";
import type { OrganizationalUnitTable } from "../../database/schema";
import { compareExactly, compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource, type TableSource } from "../../lists/table-source";

const columns = ["id", "parent_id", "name", "name_lower", "created_at"] as const;

/** A unit as it is listed. */
export type ListedUnit = Pick<Selectable<OrganizationalUnitTable>, (typeof columns)[number]>;

const stored = createTableSource<ListedUnit, OrganizationalUnitFilterField>({
  table: "organizational_units",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns,
  scope: unitAndBelow,
  compare: compareUnit,
});

/** Lists a unit and all below it. */
export const unitSource: TableSource<ListedUnit, OrganizationalUnitFilterField> = {
  survey: stored.survey,
  async read(snapshot, scope, filter, slice) {
    const rows = await stored.read(snapshot, scope, filter, slice);
    // Only the parent of the context unit can be hidden from the caller.
    return Promise.all(
      rows.map((row) => (row.id === scope.unitId ? withoutHiddenParent(snapshot.db, scope.caller, row) : row)),
    );
  },
  async find(db, scope, id) {
    const row = await stored.find(db, scope, id);
    return row && withoutHiddenParent(db, scope.caller, row);
  },
};

/** Takes the parent's id out of a unit where the caller may not see the parent. */
export async function withoutHiddenParent<Row extends { parent_id: string | null }>(
  db: Queries,
  caller: Caller,
  row: Row,
): Promise<Row> {
  if (row.parent_id === null) return row;
  const path = await unitAndAbove(db, row.parent_id);
  return readableIn(caller).some((unitId) => path.includes(unitId)) ? row : { ...row, parent_id: null };
}

function unitAndBelow({ unitId }: ListScope): Expression<SqlBool>[] {
  return [
    sql<SqlBool>`organizational_units.id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ];
}

function compareUnit(condition: Condition<OrganizationalUnitFilterField>, { caller }: ListScope): Expression<SqlBool> {
  if (condition.field === "name") return compareFolded("organizational_units.name_folded", condition);
  if (condition.field === "id") return compareExactly("organizational_units.id", condition);
  // What is not shown is not found by filtering, either.
  return sql<SqlBool>`(${compareExactly("organizational_units.parent_id", condition)}
    and organizational_units.parent_id in (
      select unit_id from organizational_unit_paths where ancestor_id in (${sql.join(["", ...readableIn(caller)])})))`;
}

function readableIn({ roles }: Caller): string[] {
  return roles.filter((role) => role.permissions.has("organizational-units:read")).map((role) => role.unitId);
}
