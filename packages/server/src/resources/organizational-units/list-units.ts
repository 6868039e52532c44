import type { Condition } from "@holdfast/api/conventions/filter";
import type { OrganizationalUnitFilterField } from "@holdfast/api/resources/organizational-units";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { OrganizationalUnitTable } from "../../database/schema";
import { compareExactly, compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource, type TableSource } from "../../lists/table-source";
import { placeUnits, readableIn, type UnitPlace } from "./place-units";

const columns = ["id", "parent_id", "name", "name_lower", "created_at", "stale_after_days"] as const;

type StoredUnit = Pick<Selectable<OrganizationalUnitTable>, (typeof columns)[number]>;

/** A unit as it is listed. */
export type ListedUnit = StoredUnit & UnitPlace;

const stored = createTableSource<StoredUnit, OrganizationalUnitFilterField>({
  table: "organizational_units",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns,
  scope: unitAndBelow,
  compare: compareUnit,
});

/** Lists a unit and all below it, each with its place in the tree. */
export const unitSource: TableSource<ListedUnit, OrganizationalUnitFilterField> = {
  listSnapshot: stored.listSnapshot,
  async read(snapshot, scope, filter, slice) {
    return placeUnits(snapshot.db, scope.caller, await stored.read(snapshot, scope, filter, slice));
  },
  async find(db, scope, id) {
    const row = await stored.find(db, scope, id);
    return row && (await placeUnits(db, scope.caller, [row]))[0];
  },
};

function unitAndBelow({ unitId }: ListScope): Expression<SqlBool>[] {
  return [
    sql<SqlBool>`organizational_units.id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ];
}

function compareUnit(condition: Condition<OrganizationalUnitFilterField>, { caller }: ListScope): Expression<SqlBool> {
  if (condition.field === "name") return compareFolded("organizational_units.name_folded", condition);
  if (condition.field === "id") return compareExactly("organizational_units.id", condition);
  // Units that are not shown are not found by filtering, either.
  return sql<SqlBool>`(${compareExactly("organizational_units.parent_id", condition)}
    and organizational_units.parent_id in (
      select unit_id from organizational_unit_paths where ancestor_id in (${sql.join(["", ...readableIn(caller)])})))`;
}
