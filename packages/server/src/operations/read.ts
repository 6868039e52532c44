import type { Fault } from "@holdfast/api/conventions/api-error";
import type { FilterFields } from "@holdfast/api/conventions/filter";
import { listParameterNames } from "@holdfast/api/conventions/paging";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import type { SortNames } from "@holdfast/api/conventions/sort";
import { type ListQuery, parseListQuery } from "../lists/list-query";
import type { ListScope, ListSource, Placed } from "../lists/list-source";
import { readPage } from "../lists/page";
import type { RenderedBody } from "../lists/rendered-body";
import type { OperationParts } from "./operation-parts";
import type { PathVariables } from "./path-variables";

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

/** Renderer of an item for each version. */
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

/** Renderer of an item for a version. */
export function rendererOf<Row>(renderers: Renderers<Row>, version: number) {
  const write = renderers[version];
  if (!write) throw new Error(`Version ${version} is declared, but nothing writes it.`);
  return write;
}
