import { type Fault, refuse, refuseAll } from "@holdfast/api/conventions/api-error";
import type { Filter, FilterFields } from "@holdfast/api/conventions/filter";
import { listParameterNames } from "@holdfast/api/conventions/paging";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import type { SortNames } from "@holdfast/api/conventions/sort";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { canBeStored } from "../lists/comparisons";
import { type ListQuery, parseListQuery } from "../lists/list-query";
import type { ListScope, ListSource, Placed, Snapshot } from "../lists/list-source";
import { readPage } from "../lists/page";
import type { RenderedBody } from "../lists/rendered-body";
import { quickWork } from "../lists/work";
import type { OperationParts } from "./operation-parts";
import { type PathVariables, variableOf } from "./path-variables";

/** A request for an operation, as far as it is understood before its query is read. */
export interface Call {
  parts: OperationParts;
  scope: ListScope;
  resource: string;
  version: number;
  path: string;
  /** Still encoded. */
  query: string;
  variables: PathVariables;
}

/** A reading, in two steps: whether it is allowed is asked in between. */
export interface Implementation<Query = unknown> {
  /** Reads the query of a call and refuses what is wrong with it, before anything is asked of the database. */
  parse(call: Call): Query;
  /** Reads from the database. The signal is aborted when nothing waits for that any more. */
  read(call: Call, query: Query, signal: AbortSignal): Promise<RenderedBody>;
}

/** A reading that can also be downloaded as text. */
export interface TextImplementation<Query = unknown> extends Implementation<Query> {
  /** All of it, piece by piece. */
  readText(call: Call): Promise<DownloadedText>;
}

export interface DownloadedText {
  /** The name of the file that it is saved as. */
  fileName: string;
  text: AsyncGenerator<string>;
}

/** How each version writes an item. */
export type Renderers<Row> = Readonly<Record<number, (row: Row) => string>>;

/** Implements a list. */
export function implementList<Row extends Placed, Field extends string>(
  source: ListSource<Row, Field>,
  filters: FilterFields<Field>,
  renderers: Renderers<Row>,
  { sorts }: { sorts?: SortNames | undefined } = {},
): Implementation<ListQuery<Field>> {
  const known = sorts ? [...listParameterNames, "sort"] : listParameterNames;
  return {
    parse({ parts, query }) {
      const faults: Fault[] = [];
      const parameters = parseParameters(query, known, faults);
      return parseListQuery(parameters, filters, parts.pageSizes, faults, { sorts });
    },
    read: ({ parts, scope, resource, version, path }, query, signal) =>
      readPage(parts, {
        source,
        signal,
        scope,
        query,
        resource,
        version,
        path,
        write: rendererOf(renderers, version),
      }),
  };
}

/** What a list with parameters of its own was asked for, and what it then is a list of. */
export interface AskedList<Row extends Placed, Field extends string> {
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
export function implementAskedList<Row extends Placed, Field extends string>(
  own: OwnParameters<Row, Field>,
  filters: FilterFields<Field>,
  renderers: Renderers<Row>,
): Implementation<AskedList<Row, Field>> {
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

/**
 * Implements reading one item, which the named variable of the path has the id of. What the caller may not see answers
 * like what does not exist.
 */
export function implementRead<Row>(
  variable: string,
  find: (snapshot: Snapshot, scope: ListScope, id: string, variables: PathVariables) => Promise<Row | undefined>,
  noun: string,
  renderers: Renderers<Row>,
): Implementation {
  return {
    parse: takeNoParameters,
    async read({ parts, scope, version, variables }, _, signal) {
      const write = rendererOf(renderers, version);
      const id = canonicalId(variableOf(variables, variable));
      const row = canBeStored(id)
        ? await parts.database.snapshot((db, { stamp }) =>
            find({ db, stamp, work: quickWork(signal, 0) }, scope, id, variables),
          )
        : undefined;
      if (row === undefined) throw refuse("itemUnknown", `There is no such ${noun}, or you may not see it.`);
      return { body: write(row), isCurrent: true };
    },
  };
}

/** Implements reading the one thing that there is of its kind. */
export function implementSingle<Row>(
  find: (snapshot: Snapshot, scope: ListScope) => Promise<Row>,
  renderers: Renderers<Row>,
): Implementation {
  return {
    parse: takeNoParameters,
    async read({ parts, scope, version }, _, signal) {
      const write = rendererOf(renderers, version);
      const row = await parts.database.snapshot((db, { stamp }) =>
        find({ db, stamp, work: quickWork(signal, 0) }, scope),
      );
      return { body: write(row), isCurrent: true };
    },
  };
}

function takeNoParameters({ query }: Call): void {
  const faults: Fault[] = [];
  parseParameters(query, [], faults);
  refuseAll(faults);
}

function rendererOf<Row>(renderers: Renderers<Row>, version: number) {
  const write = renderers[version];
  if (!write) throw new Error(`Version ${version} is declared, but nothing writes it.`);
  return write;
}
