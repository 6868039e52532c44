import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { operationOfTask } from "../../../database/tasks/indexes";
import { compareExactly, compareTime } from "../../../lists/comparisons";
import type { ListScope } from "../../../lists/list-source";
import { allTime, type TimeRange } from "./time-range";

/** A condition of a filter on tasks. */
export type TaskCondition = Condition<TaskFilterField>;

/** Fields that tasks are counted by, in all and per day. */
const countedFields: readonly TaskFilterField[] = ["status", "category", "type", "outcome", "organizational_unit_id"];

/** True if tasks are counted by what a condition asks for. */
export function isCounted({ field }: TaskCondition): boolean {
  return countedFields.includes(field);
}

/** The time in which the tasks of a filter can have been created. */
export function createdWithin(filter: Filter<TaskFilterField>): TimeRange {
  let { from, until } = allTime;
  for (const { field, operator, value } of filter) {
    if (field !== "created_timestamp" || typeof value !== "number") continue;
    if (operator === "$gte") from = Math.max(from, value);
    if (operator === "$gt") from = Math.max(from, value + 1);
    if (operator === "$lt") until = Math.min(until, value);
    if (operator === "$lte") until = Math.min(until, value + 1);
  }
  return { from, until };
}

/** Returns the filter without the time of creation. */
export function withoutCreated(filter: Filter<TaskFilterField>): Filter<TaskFilterField> {
  return filter.filter(({ field }) => field !== "created_timestamp");
}

/** Keeps a query to the unit and to those below it. Everything is below the root. */
export function unitConditions({ unitId }: ListScope): Expression<SqlBool>[] {
  if (unitId === rootUnitId) return [];
  return [
    sql<SqlBool>`organizational_unit_id in (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ];
}

/**
 * Conditions for counts that are read by their day or week. Where PostgreSQL takes the units for few, it would look through all of that
 * time for each of them, and its statistics of units that were just made are wrong. A condition within another one is not joined:
 * it makes a table of the units and looks each count up in it.
 */
export function unitConditionsOfCounts(db: Queries, scope: ListScope): Expression<SqlBool>[] {
  const conditions = unitConditions(scope);
  return isPostgres(db) ? conditions.map((condition) => sql<SqlBool>`(${condition}) is true`) : conditions;
}

/** A condition of a filter, for a query on the tasks, or on their counts where these have the column. */
export function taskCondition(condition: TaskCondition): Expression<SqlBool> {
  switch (condition.field) {
    case "status":
      return compareExactly("status", asOneOf(taskStatuses, condition));
    case "category":
      return compareExactly("category", asOneOf(taskCategories, condition));
    case "outcome":
      // Stored empty until a task has ended, which no filter can name.
      return compareExactly("outcome", asOneOf(taskOutcomes, condition, [""]));
    case "type":
      return condition.operator === "$neq" ? isOtherType(condition) : compareExactly(condition.field, condition);
    case "error.code":
      return condition.operator === "$neq"
        ? sql<SqlBool>`(error_code is null or ${compareExactly("error_code", condition)})`
        : compareExactly("error_code", condition);
    case "operation":
      return compareExactly(operationOfTask, condition);
    case "id":
    case "monitor_id":
    case "organizational_unit_id":
      return compareExactly(condition.field, condition);
    case "created_timestamp":
      return compareTime("created_at", condition);
    case "start_timestamp":
      return compareTime("started_at", condition);
    case "end_timestamp":
      return compareTime("ended_at", condition);
    case "primary_entity.id":
    case "primary_entity.value":
      throw new Error(`${condition.field} is compared in the table of entities: see entity-condition.ts.`);
  }
}

/** "Not this one" as "one of the others", which an index can find, and of which the database knows how many there are. */
function asOneOf(all: readonly string[], { field, operator, value }: TaskCondition, unnamed: readonly string[] = []) {
  const wanted = [value].flat();
  const words =
    operator === "$neq"
      ? [...unnamed, ...all.filter((word) => !wanted.includes(word))]
      : all.filter((word) => wanted.includes(word));
  return { field, operator: "$in", value: words } as const;
}

/** Condition for types other than counted ones, of which only the counts know all. */
function isOtherType(condition: TaskCondition): Expression<SqlBool> {
  const others = sql`select others.type from task_totals as others`;
  return sql<SqlBool>`type in (${others} where ${compareExactly("others.type", condition)})`;
}
