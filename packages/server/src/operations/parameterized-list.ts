import type { Fault } from "@holdfast/api/conventions/api-error";
import type { Filter, FilterFields } from "@holdfast/api/conventions/filter";
import { listParameterNames } from "@holdfast/api/conventions/paging";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { type ListQuery, parseListQuery } from "../lists/list-query";
import type { ListSource, Placed } from "../lists/list-source";
import { readPage } from "../lists/page";
import { type Implementation, type Renderers, rendererOf } from "./read";

/** Request for a list with parameters of its own, and the list that follows from it. */
export interface ParameterizedList<Row extends Placed, Field extends string> {
  query: ListQuery<Field>;
  source: ListSource<Row, Field>;
}

/** The parameters that only one list takes. */
export interface OwnParameters<Row extends Placed, Field extends string> {
  names: readonly string[];
  /** Reads them, and gives what finds the items once the filter is known. Both refuse what is wrong. */
  read(
    parameters: ReadonlyMap<string, string>,
    faults: Fault[],
  ): (filter: Filter<Field>, now: number) => ListSource<Row, Field>;
}

/** Implements a list that takes parameters of its own, which decide what it is a list of. */
export function implementParameterizedList<Row extends Placed, Field extends string>(
  own: OwnParameters<Row, Field>,
  filters: FilterFields<Field>,
  renderers: Renderers<Row>,
): Implementation<ParameterizedList<Row, Field>> {
  return {
    parse({ parts, query: text }) {
      const faults: Fault[] = [];
      const parameters = parseParameters(text, [...listParameterNames, ...own.names], faults);
      const sourceOf = own.read(parameters, faults);
      const query = parseListQuery(parameters, filters, parts.pageSizes, faults, { ownNames: own.names });
      return { query, source: sourceOf(query.filter, parts.clock()) };
    },
    read({ parts, scope, resource, version, path }, { query, source }, signal) {
      const write = rendererOf(renderers, version);
      const list = JSON.stringify([path, query.own]);
      return readPage(parts, { source, signal, scope, query, resource, version, path, list, write });
    },
  };
}
