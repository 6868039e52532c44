import { type Filter, parseFilter } from "@holdfast/api/conventions/filter";
import { type TaskFilterField, taskFilters } from "@holdfast/api/resources/tasks";
import { compileFilter, type FieldValues, fieldReader } from "../../../lists/match-filter";
import type { TaskRecord } from "../record";

/** Fields of a task that filters use. Times are milliseconds. */
export type FilteredFields = FieldValues<TaskFilterField>;

/** Reads the fields that filters use, of a task as it is. */
export const fieldsOf = fieldReader<TaskRecord, TaskFilterField>(taskFilters, {
  operation: ({ operation, type }) => operation ?? type,
});

/** Compiles a filter on tasks, or the text of one that was checked when it was stored. */
export function compileTaskFilter(given: Filter<TaskFilterField> | string): (fields: FilteredFields) => boolean {
  return compileFilter(typeof given === "string" ? parseFilter(given, taskFilters).filter : given, taskFilters);
}
