import { type CallInput, type Calls, call, type NamedOperation } from "./calls";
import { Listing, pageIn } from "./listing";
import type { CallOptions } from "./transport";

/**
 * Options of a list.
 * @example
 * import { type FilterOf, type ListOptions } from "@holdfast/client";
 *
 * const options: ListOptions<FilterOf<"users", "list-users">> = { limit: 10, filter: { name: { $begins_with: "a" } } };
 * await holdfast.users.list(options).page();
 */
export interface ListOptions<Filter, Sort extends string = never> extends CallOptions {
  /** Conditions that every item fulfils. */
  filter?: Filter | undefined;
  /** Sort order of the list, `-` before it for downwards; a list with one order takes none. */
  sort?: Sort | undefined;
  /** Number of items on a page: 100 by default, at most 1000. */
  limit?: number | undefined;
  /** The number of the page to begin with, from 1. */
  start?: number | undefined;
}

/** Makes a list of items. Nothing is asked for before it is walked over. */
export function listItems(
  calls: Calls,
  operation: NamedOperation,
  options: ListOptions<unknown, string> & CallInput,
): Listing<unknown> {
  const { filter, sort, limit, start, query, ...asked } = options;
  return new Listing(async (from) => {
    if ("href" in from) return pageIn(await follow(calls, operation, from.href, asked));
    const first = {
      ...query,
      limit: (limit ?? from.limit)?.toString(),
      start: start?.toString(),
      sort,
      filter: filter ? JSON.stringify(filter) : undefined,
    };
    return pageIn((await call(calls, operation, { ...asked, query: first }, { isRepeatable: true })).text);
  });
}

/** Follows a link of a page. It is a path below the base URL, so it needs no discovery, but for unit and version. */
async function follow(
  { discoveries, transport, unit }: Calls,
  { resource, ...operation }: NamedOperation,
  href: string,
  { signal, timeoutMs, retries, version = operation.version }: CallInput,
): Promise<string> {
  const options = { signal, timeoutMs, retries };
  const headers = await discoveries.headers({ resource, version, unit }, options);
  return (await transport.send({ ...options, method: "get", href, headers, isRepeatable: true })).text;
}
