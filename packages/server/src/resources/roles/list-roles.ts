import type { RoleFilterField } from "@holdfast/api/resources/roles";
import { type SqlBool, sql } from "kysely";
import { compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource } from "../../lists/table-source";

/** A role as it is stored. */
export interface RoleRow {
  id: string;
  name: string;
  name_lower: string;
  description: string;
  permissions: string;
  organizational_unit_id: string;
  is_default: number;
  created_at: number | null;
}

/** Lists the roles that can be held in a unit: its own, those of units above it, and the default ones. */
export const roleSource = createTableSource<RoleRow, RoleFilterField>({
  table: "roles",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns: [
    "id",
    "name",
    "name_lower",
    "description",
    "permissions",
    "organizational_unit_id",
    "is_default",
    "created_at",
  ],
  scope: usableRoles,
  compare: (condition) => compareFolded("name_folded", condition),
});

/** A role is usable where it was made and below. */
function usableRoles({ unitId }: Pick<ListScope, "unitId">) {
  return [
    sql<SqlBool>`roles.organizational_unit_id in
      (select ancestor_id from organizational_unit_paths where unit_id = ${unitId})`,
  ];
}
