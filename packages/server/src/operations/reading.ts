import { type Fault, refuse, refuseAll } from "@holdfast/api/conventions/api-error";
import type { FilterFields } from "@holdfast/api/conventions/filter";
import { listParameterNames } from "@holdfast/api/conventions/paging";
import { parseParameters } from "@holdfast/api/conventions/parse-parameters";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { canBeStored } from "../lists/comparisons";
import { parseListQuery } from "../lists/list-query";
import type { ListScope, ListSource, Placed, Snapshot } from "../lists/list-source";
import { readPage } from "../lists/page";
import type { RenderedBody } from "../lists/rendered-body";
import { quickWork } from "../lists/work";
import type { OperationParts } from "./operation-parts";

/** A request for an operation, as far as it is understood before its query is read. */
export interface Call {
  parts: OperationParts;
  scope: ListScope;
  resource: string;
  version: number;
  path: string;
  /** Still encoded. */
  query: string;
  /** The variable of the path, where it has one. */
  itemId: string;
}

/**
 * Reads the query of a call at once, and gives what is left to do with the database. The signal is aborted when nothing
 * waits for that any more.
 */
export type Implementation = (call: Call) => (signal: AbortSignal) => Promise<RenderedBody>;

/** How each version writes an item. */
export type Renderers<Row> = Readonly<Record<number, (row: Row) => string>>;

/** Implements a list. */
export function implementList<Row extends Placed, Field extends string>(
  source: ListSource<Row, Field>,
  filters: FilterFields<Field>,
  renderers: Renderers<Row>,
): Implementation {
  return ({ parts, scope, resource, version, path, query }) => {
    const faults: Fault[] = [];
    const parameters = parseParameters(query, listParameterNames, faults);
    const listQuery = parseListQuery(parameters, filters, parts.pageSizes, faults);
    const write = rendererOf(renderers, version);
    return (signal) =>
      readPage(parts, {
        source,
        signal,
        scope,
        query: listQuery,
        resource,
        version,
        path,
        write,
      });
  };
}

/** Implements reading one item. What the caller may not see answers like what does not exist. */
export function implementRead<Row>(
  find: (snapshot: Snapshot, scope: ListScope, id: string) => Promise<Row | undefined>,
  noun: string,
  renderers: Renderers<Row>,
): Implementation {
  return ({ parts, scope, version, query, itemId }) => {
    const faults: Fault[] = [];
    parseParameters(query, [], faults);
    refuseAll(faults);
    const write = rendererOf(renderers, version);
    return async (signal) => {
      const id = canonicalId(itemId);
      const row = canBeStored(id)
        ? await parts.database.snapshot((db, { stamp }) => find({ db, stamp, work: quickWork(signal, 0) }, scope, id))
        : undefined;
      if (row === undefined) throw refuse("itemUnknown", `There is no such ${noun}, or you may not see it.`);
      return { body: write(row), isCurrent: true };
    };
  };
}

function rendererOf<Row>(renderers: Renderers<Row>, version: number) {
  const write = renderers[version];
  if (!write) throw new Error(`Version ${version} is declared, but nothing writes it.`);
  return write;
}
