import { setImmediate } from "node:timers/promises";
import { formatFilter } from "@holdfast/api/conventions/filter";
import { getLink, type Links } from "@holdfast/api/conventions/hal";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { formatSort } from "@holdfast/api/conventions/sort";
import type { Database, Moment, Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { type Cursor, createCursors } from "./cursor";
import type { ListPlace } from "./keyset";
import type { ListQuery } from "./list-query";
import type { ListScope, ListSnapshot, ListSource, Placed } from "./list-source";
import type { Readers } from "./readers";
import type { RenderedBody } from "./rendered-body";
import type { Work } from "./work";

/** Everything that a page is made from. */
export interface PageRequest<Row extends Placed, Field extends string> {
  source: ListSource<Row, Field>;
  scope: ListScope;
  query: ListQuery<Field>;
  resource: string;
  version: number;
  path: string;
  /** Tells this list from others of its resource, and from itself when something else is asked of it. */
  list?: string | undefined;
  /** Writes an item as JSON. */
  write: (row: Row) => string;
  /** Aborted when nothing waits for the page any more. */
  signal: AbortSignal;
}

export interface PageSettings {
  database: Database;
  readers: Readers;
  cursorSealer: Sealer;
}

/** A page that was read. */
interface Found {
  listSnapshot: ListSnapshot;
  /** The items as they stand in the page: JSON with commas in between. */
  items: string;
  count: number;
  /** The places of the first and the last item, where there is one. */
  ends: { first: ListPlace; last: ListPlace } | undefined;
  hasNext: boolean;
  hasPrev: boolean;
}

/** Reads one page of a list and writes it as JSON. */
export async function readPage<Row extends Placed, Field extends string>(
  settings: PageSettings,
  request: PageRequest<Row, Field>,
): Promise<RenderedBody> {
  const { query, scope } = request;
  const filterApplied = formatFilter(query.filter);
  const cursors = createCursors(settings.cursorSealer, {
    resource: request.resource,
    version: request.version,
    unitId: scope.unitId,
    filter: filterApplied,
    limit: query.limit,
    list: request.list,
    sort: query.sort && formatSort(query.sort),
  });
  const cursor = query.cursor === undefined ? undefined : cursors.open(query.cursor);
  const found = await findRows(settings, request, cursor);
  const links = pageLinks(request, found, (direction, place) =>
    cursors.seal({ direction, place, listSnapshot: found.listSnapshot }),
  );
  const tail = JSON.stringify({
    _links: links,
    current_count: found.count,
    total_count: found.listSnapshot.total,
    start: String(query.page),
    total_pages_count: Math.ceil(found.listSnapshot.total / query.limit),
    limit: query.limit,
    filter_applied: filterApplied,
  });
  return { body: `{"_embedded":{"items":[${found.items}]},${tail.slice(1)}` };
}

async function findRows<Row extends Placed, Field extends string>(
  { database, readers }: PageSettings,
  { source, scope, query, signal, write }: PageRequest<Row, Field>,
  cursor: Cursor | undefined,
): Promise<Found> {
  const find = async (work: Work, db: Queries, { dataVersions }: Moment): Promise<Found> => {
    const snapshot = { db, dataVersions, work };
    const listSnapshot = cursor?.listSnapshot ?? (await source.listSnapshot(snapshot, scope, query.filter));
    const skip = (query.page - 1) * query.limit;
    const isBackwards = cursor?.direction === "prev";
    const from = !cursor ? { skip } : isBackwards ? { before: cursor.place } : { after: cursor.place };
    // One row more than the page shows whether there is another page.
    const slice = { listSnapshot, count: query.limit + 1, from, sort: query.sort };
    const rows = cursor || skip < listSnapshot.total ? await source.read(snapshot, scope, query.filter, slice) : [];
    const hasMore = rows.length > query.limit;
    const shown = rows.slice(0, query.limit);
    if (isBackwards) shown.reverse();
    const items: string[] = [];
    for (const [index, row] of shown.entries()) {
      // Others have their turn: a thousand large items take longer to write than to read.
      if (index > 0 && index % itemsPerTurn === 0) await setImmediate();
      items.push(write(row));
    }
    const [first, last] = [shown[0], shown.at(-1)];
    return {
      listSnapshot,
      items: items.join(","),
      count: shown.length,
      ends: first && last && { first: first.place, last: last.place },
      hasNext: isBackwards || hasMore,
      hasPrev: isBackwards ? hasMore : query.page > 1 || cursor !== undefined,
    };
  };
  const read = (work: Work) => database.snapshot((db, moment) => find(work, db, moment), { isLong: work.isLong });
  const unitId = scope.caller.unitId === rootUnitId ? undefined : scope.caller.unitId;
  return readers.read({ caller: scope.caller.limitedAs, unitId, signal }, read);
}

/** The number of items that are written before others have their turn. */
const itemsPerTurn = 100;

function pageLinks<Row extends Placed, Field extends string>(
  { path, query }: PageRequest<Row, Field>,
  found: Found,
  seal: (direction: Cursor["direction"], place: ListPlace) => string,
): Links {
  const filter = query.filterText === undefined ? "" : `&filter=${encodeURIComponent(query.filterText.toWellFormed())}`;
  const sort = query.sortText === undefined ? "" : `&sort=${query.sortText}`;
  const own = query.own.map(([name, value]) => `&${name}=${encodeURIComponent(value.toWellFormed())}`).join("");
  const asked = `&limit=${query.limit}${sort}${own}${filter}`;
  const to = (page: number, cursor?: string) =>
    getLink(`${path}?start=${page}${asked}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
  const lastPage = Math.max(1, Math.ceil(found.listSnapshot.total / query.limit));
  const links: Links = { self: to(query.page, query.cursor), first: to(1), last: to(lastPage) };
  const { ends } = found;
  if (ends && found.hasNext) links.next = to(query.page + 1, seal("next", ends.last));
  if (ends && found.hasPrev) links.prev = to(Math.max(1, query.page - 1), seal("prev", ends.first));
  // Beyond the end there is no item to go back from; the last page is where the caller wants to be.
  if (!ends && found.hasPrev && found.listSnapshot.total > 0) links.prev = to(lastPage);
  return links;
}
