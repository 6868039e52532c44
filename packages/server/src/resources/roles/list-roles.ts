import type { Condition } from "@holdfast/api/conventions/filter";
import type { RoleFilterField } from "@holdfast/api/resources/roles";
import { type Selectable, type SqlBool, sql } from "kysely";
import type { RoleTable } from "../../database/schema";
import { compareExactly, compareFolded } from "../../lists/comparisons";
import { createTableSource } from "../../lists/table-source";

const columns = [
  "id",
  "name",
  "name_lower",
  "description",
  "permissions",
  "organizational_unit_id",
  "is_default",
  "created_at",
] as const;

/** A role as it is stored. */
export type RoleRow = Pick<Selectable<RoleTable>, (typeof columns)[number]>;

/** Lists the roles that can be held in a unit or below it: those of units above, its own, and what is made below. */
export const roleSource = createTableSource<RoleRow, RoleFilterField>({
  ...source(),
  scope: ({ unitId }) => [sql<SqlBool>`(${isUsableIn(unitId)} or ${isMadeBelow(unitId)})`],
});

/** Finds only roles that can be held in the very unit. */
export const usableRoles = createTableSource<RoleRow, RoleFilterField>({
  ...source(),
  scope: ({ unitId }) => [isUsableIn(unitId)],
});

function source() {
  return {
    table: "roles",
    key: "name_lower",
    id: "id",
    arrival: "seq",
    order: "up",
    columns,
    compare: (condition: Condition<RoleFilterField>) =>
      condition.field === "id" ? compareExactly("roles.id", condition) : compareFolded("name_folded", condition),
  } as const;
}

/** A role is usable where it was made and below. */
function isUsableIn(unitId: string) {
  return sql<SqlBool>`roles.organizational_unit_id in
    (select ancestor_id from organizational_unit_paths where unit_id = ${unitId})`;
}

function isMadeBelow(unitId: string) {
  return sql<SqlBool>`roles.organizational_unit_id in
    (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`;
}
