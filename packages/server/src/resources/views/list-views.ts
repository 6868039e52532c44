import type { Condition } from "@holdfast/api/conventions/filter";
import type { ViewFilterField } from "@holdfast/api/resources/views";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { SavedViewTable } from "../../database/schema";
import { compareExactly, compareFlag, compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { ownOrCovered } from "../../lists/own-or-covered";
import { createTableSource } from "../../lists/table-source";

const columns = [
  "id",
  "organizational_unit_id",
  "user_id",
  "name",
  "name_lower",
  "page",
  "query",
  "created_at",
] as const;

/** A view as it is stored. */
export type ViewRow = Pick<Selectable<SavedViewTable>, (typeof columns)[number]>;

/** Lists views by name: those that are shared in the unit and below it, and the caller's private ones. */
export const viewSource = createTableSource<ViewRow, ViewFilterField>({
  table: "saved_views",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns,
  scope: (scope: ListScope) => ownOrCovered("saved_views", scope),
  compare: compareView,
});

function compareView(condition: Condition<ViewFilterField>): Expression<SqlBool> {
  switch (condition.field) {
    case "name":
      return compareFolded("saved_views.name_folded", condition);
    case "is_shared":
      return compareFlag(sql<SqlBool>`saved_views.organizational_unit_id is not null`, condition);
    default:
      return compareExactly(`saved_views.${condition.field}`, condition);
  }
}
