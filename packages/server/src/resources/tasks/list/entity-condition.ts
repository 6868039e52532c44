import type { Condition } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { allOf, compareExactly, compareFolded, never } from "../../../lists/comparisons";
import type { TaskCondition } from "./conditions";

/** True if a field of a filter is one of the task's entity, which has a table of its own. */
export function isOfEntity(field: TaskFilterField): boolean {
  return field === "primary_entity.id" || field === "primary_entity.value";
}

/**
 * The condition on a task that its entity matches; none without conditions. PostgreSQL either follows the index on the entity
 * (`byIndex`) or looks each task up in a hash of the keys. Its own estimate of a text search is a guess, so the caller decides by
 * counts. SQLite is given the index anyway.
 */
export function hasEntity(
  db: Queries,
  conditions: readonly TaskCondition[],
  { byIndex }: { byIndex: boolean },
): Expression<SqlBool>[] {
  if (conditions.length === 0) return [];
  const matches = conditions.map(entityMatches);
  if (matches.includes(never)) return [never];
  const keys = sql`select key from entities where ${allOf(matches)}`;
  if (!isPostgres(db)) return [sql<SqlBool>`entity_key in (${keys})`];
  return [byIndex ? sql<SqlBool>`entity_key = any(array(${keys}))` : sql<SqlBool>`(entity_key in (${keys})) is true`];
}

function entityMatches(condition: Condition): Expression<SqlBool> {
  const column = condition.field === "primary_entity.id" ? "entities.id" : "entities.value";
  return condition.operator === "$contains"
    ? compareFolded(`${column}_folded`, condition)
    : compareExactly(column, condition);
}
