import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import type { TaskRecord } from "../record";

/** Fields of a task that filters use. Times are milliseconds. */
export type FilteredFields = Record<TaskFilterField, string | number | null>;

/** Fields that filters use, of a task as it is. */
export function fieldsOf(task: TaskRecord): FilteredFields {
  const time = (text: string | null) => (text === null ? null : Date.parse(text));
  return {
    status: task.status,
    category: task.category,
    type: task.type,
    id: task.id,
    outcome: task.outcome,
    "error.code": task.error?.code ?? null,
    organizational_unit_id: task.organizational_unit_id,
    operation: task.operation ?? task.type,
    monitor_id: task.monitor_id ?? null,
    created_timestamp: time(task.created_timestamp),
    start_timestamp: time(task.start_timestamp),
    end_timestamp: time(task.end_timestamp),
    "primary_entity.id": task.primary_entity?.id ?? null,
    "primary_entity.value": task.primary_entity?.value ?? null,
  };
}

/** True if a task matches a filter, as lists would find it. */
export function matchesFilter(filter: Filter<TaskFilterField>, fields: FilteredFields): boolean {
  return filter.every((condition) => holds(condition, fields[condition.field]));
}

function holds(condition: Condition<TaskFilterField>, value: string | number | null): boolean {
  // A missing value is unequal to everything, and matches nothing else.
  if (value === null) return condition.operator === "$neq";
  switch (condition.operator) {
    case "$eq":
      return value === condition.value;
    case "$neq":
      return value !== condition.value;
    case "$in":
      return condition.value.some((one) => one === value);
    case "$contains":
      return foldCase(String(value)).includes(foldCase(condition.value));
    case "$begins_with":
      return foldCase(String(value)).startsWith(foldCase(condition.value));
    case "$gt":
      return Number(value) > condition.value;
    case "$gte":
      return Number(value) >= condition.value;
    case "$lt":
      return Number(value) < condition.value;
    case "$lte":
      return Number(value) <= condition.value;
  }
}
