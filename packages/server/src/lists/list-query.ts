import { type Fault, refuseAll } from "@holdfast/api/conventions/api-error";
import { type Filter, type FilterFields, parseFilter } from "@holdfast/api/conventions/filter";
import { type PageSizes, parseLimit, parseStart } from "@holdfast/api/conventions/paging";
import { parseSort, type Sort, type SortNames } from "@holdfast/api/conventions/sort";

/** A list's query parameters, understood. */
export interface ListQuery<Field extends string> {
  limit: number;
  page: number;
  filter: Filter<Field>;
  /** The filter as the caller wrote it: what links repeat. */
  filterText: string | undefined;
  cursor: string | undefined;
  /** The order that was asked for, or the usual one where that has a name; nothing for a list with one order. */
  sort: Sort | undefined;
  /** Sort order as the caller wrote it: links repeat it. */
  sortText: string | undefined;
  /** The parameters that only this list takes, as far as they were given: links repeat them, cursors are bound to them. */
  own: readonly (readonly [name: string, value: string])[];
}

/** Reads the parameters of a list. Reports all errors at once. */
export function parseListQuery<Field extends string>(
  parameters: ReadonlyMap<string, string>,
  fields: FilterFields<Field>,
  sizes: PageSizes,
  faults: Fault[],
  { ownNames = [], sorts = undefined }: { ownNames?: readonly string[]; sorts?: SortNames | undefined } = {},
): ListQuery<Field> {
  const limit = parseLimit(parameters.get("limit"), sizes, faults);
  const page = parseStart(parameters.get("start"), faults);
  const filterText = parameters.get("filter") || undefined;
  const { filter, faults: filterFaults } =
    filterText === undefined ? { filter: [], faults: [] } : parseFilter(filterText, fields);
  faults.push(...filterFaults.map((fault) => ({ ...fault, field: "filter" })));
  const sortText = (sorts && parameters.get("sort")) || undefined;
  const sort = sorts && parseSort(sortText, sorts, faults);
  refuseAll(faults);
  const own = ownNames.flatMap((name) => {
    const value = parameters.get(name);
    return value ? [[name, value] as const] : [];
  });
  return { limit, page, filter, filterText, cursor: parameters.get("cursor") || undefined, sort, sortText, own };
}
