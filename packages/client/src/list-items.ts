import { type Asked, type Calls, call } from "./calls";
import { builtFor, type FilterOf, type ItemOf, type OperationId, type ResourceName, type SortOf } from "./declared";
import { Listing, pageIn } from "./listing";
import type { CallOptions } from "./transport";

/**
 * What a list is asked for.
 * @example
 * import { type FilterOf, type ListOptions } from "@holdfast/client";
 *
 * const options: ListOptions<FilterOf<"users", "list-users">> = { limit: 10, filter: { name: { $begins_with: "a" } } };
 * await holdfast.users.list(options).page();
 */
export interface ListOptions<Filter, Sort extends string = never> extends CallOptions {
  /** What has to hold for every item. */
  filter?: Filter | undefined;
  /** What the list is sorted by, `-` before it for downwards; a list with one order takes none. */
  sort?: Sort | undefined;
  /** How many items a page has: 100 where it is left out, at most 1000. */
  limit?: number | undefined;
  /** The number of the page to begin with, from 1. */
  start?: number | undefined;
}

/** Makes a list of items. Nothing is asked for before it is walked over. */
export function listItems<Name extends ResourceName, Id extends OperationId<Name>, Version>(
  calls: Calls,
  resource: Name,
  operationId: Id,
  options: ListOptions<FilterOf<Name, Id, Version>, SortOf<Name, Id, Version>> & Asked,
): Listing<ItemOf<Name, Id, Version>> {
  const { filter, sort, limit, start, query, ...asked } = options;
  const version = asked.version ?? calls.versions[resource] ?? builtFor[resource];
  return new Listing(async (from) => {
    if ("href" in from) return pageIn(await follow(calls, resource, version, from.href, asked));
    const first = {
      ...query,
      limit: (limit ?? from.limit)?.toString(),
      start: start?.toString(),
      sort,
      filter: filter && JSON.stringify(filter),
    };
    const { text } = await call(
      calls,
      resource,
      operationId,
      { ...asked, version, query: first },
      { isRepeatable: true },
    );
    return pageIn(text);
  });
}

/** Follows a link of a page. It is a path below the base URL, so it needs no discovery, but for unit and version. */
async function follow(
  { discoveries, transport, unit }: Calls,
  resource: ResourceName,
  version: number,
  href: string,
  asked: CallOptions,
): Promise<string> {
  const headers = await discoveries.headers({ resource, version, unit }, asked);
  return (await transport.send({ ...asked, method: "get", href, headers, isRepeatable: true })).text;
}
