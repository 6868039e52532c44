import type { Condition } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { EntityFilterField, EntitySort } from "@holdfast/api/resources/entities";
import { entityStates } from "@holdfast/api/resources/entity-words";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { ProtectedEntityTable } from "../../database/schema";
import { compareExactly, compareFlag, compareFolded, compareTime } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource, type SortedColumn } from "../../lists/table-source";

const columns = [
  "id",
  "organizational_unit_id",
  "entity_type",
  "entity_id",
  "value",
  "sort_name",
  "evidence",
  "operations",
  "stale_before_at",
  "state",
  "state_rank",
  "last_good_at",
  "first_seen_at",
  "monitor_ids",
  "expected_period_seconds",
  "muted_until",
  "is_retired",
] as const;

/** A protected entity as it is listed. */
export type ListedEntity = Pick<Selectable<ProtectedEntityTable>, (typeof columns)[number]>;

const sorts: Record<EntitySort, readonly SortedColumn<ListedEntity>[]> = {
  state: ["state_rank", "sort_name"],
  value: ["sort_name"],
  // There is an index on exactly this.
  last_good_backup: [{ column: "last_good_at", nullAs: -1 }],
};

/** Lists what is protected in a unit and below it. */
export const entitySource = createTableSource<ListedEntity, EntityFilterField>({
  table: "protected_entities",
  key: "sort_name",
  id: "id",
  arrival: "seq",
  order: "up",
  sorts,
  columns,
  scope: entitiesIn,
  compare: compareEntity,
});

/** Keeps to the entities of the unit and of those below it. Everything is below the root. */
export function entitiesIn({ unitId }: ListScope): Expression<SqlBool>[] {
  if (unitId === rootUnitId) return [];
  return [
    sql<SqlBool>`protected_entities.organizational_unit_id in (
      select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ];
}

/** A condition of a filter on entities, or on their counts. */
export function compareEntity(condition: Condition<EntityFilterField>): Expression<SqlBool> {
  switch (condition.field) {
    case "state":
      return compareExactly("protected_entities.state", oneOfTheOthers(condition));
    case "primary_entity.type":
      return compareExactly("protected_entities.entity_type", condition);
    case "primary_entity.id":
      return compareText("protected_entities.entity_id", condition);
    case "primary_entity.value":
      return compareText("protected_entities.value", condition);
    case "last_good_backup.end_timestamp":
      return compareTime("protected_entities.last_good_at", condition);
    case "is_retired":
      return compareFlag(sql<SqlBool>`protected_entities.is_retired = 1`, condition);
    case "is_muted":
      return compareFlag(sql<SqlBool>`protected_entities.muted_until is not null`, condition);
    case "id":
    case "organizational_unit_id":
      return compareExactly(`protected_entities.${condition.field}`, condition);
  }
}

function compareText(column: string, condition: Condition): Expression<SqlBool> {
  return condition.operator === "$contains"
    ? compareFolded(`${column}_folded`, condition)
    : compareExactly(column, condition);
}

/** "Not this one" as "one of the others". */
function oneOfTheOthers(condition: Condition<EntityFilterField>): Condition<EntityFilterField> {
  if (condition.operator !== "$neq") return condition;
  return { ...condition, operator: "$in", value: entityStates.filter((state) => state !== condition.value) };
}
