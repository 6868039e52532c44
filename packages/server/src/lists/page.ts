import { formatFilter } from "@holdfast/api/conventions/filter";
import { getLink, type Links } from "@holdfast/api/conventions/hal";
import { formatSort } from "@holdfast/api/conventions/sort";
import type { Database, Moment, Queries, Read } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { type Cursor, type CursorPurpose, openCursor, sealCursor } from "./cursor";
import type { Place } from "./keyset";
import type { ListQuery } from "./list-query";
import type { ListScope, ListSource, Placed, Slice, Survey } from "./list-source";
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

interface Found<Row> {
  rows: Row[];
  survey: Survey;
  hasNext: boolean;
  hasPrev: boolean;
}

/** What was found, and where. */
interface FoundSomewhere<Row> extends Found<Row> {
  position: string | null;
  isCurrent: boolean;
}

/** Reads one page of a list and writes it as JSON. */
export async function readPage<Row extends Placed, Field extends string>(
  settings: PageSettings,
  request: PageRequest<Row, Field>,
): Promise<RenderedBody> {
  const { query, scope } = request;
  const filterApplied = formatFilter(query.filter);
  const purpose: CursorPurpose = {
    resource: request.resource,
    version: request.version,
    unitId: scope.unitId,
    filter: filterApplied,
    limit: query.limit,
    list: request.list,
    sort: query.sort && formatSort(query.sort),
  };
  const cursor = query.cursor === undefined ? undefined : openCursor(settings.cursorSealer, query.cursor, purpose);
  const found = await findRows(settings, request, cursor);
  // Items are written one by one and put together as text: they may have been JSON in the database already.
  const items = `{"_embedded":{"items":[${found.rows.map(request.write).join(",")}]},`;
  const writeWith = (position: string | null) => {
    const links = pageLinks(request, found, (direction, place) =>
      sealCursor(settings.cursorSealer, { direction, place, survey: found.survey, position }, purpose),
    );
    const tail = JSON.stringify({
      _links: links,
      current_count: found.rows.length,
      total_count: found.survey.total,
      start: String(query.page),
      total_pages_count: Math.ceil(found.survey.total / query.limit),
      limit: query.limit,
      filter_applied: filterApplied,
    });
    return items + tail.slice(1);
  };
  const { position, isCurrent } = found;
  const body = writeWith(position);
  // The position goes on with every commit anywhere; the page is the same page for all that.
  return { body, isCurrent, ...(position === null ? {} : { etagSource: writeWith(null) }) };
}

async function findRows<Row extends Placed, Field extends string>(
  { database, readers }: PageSettings,
  { source, scope, query, signal }: PageRequest<Row, Field>,
  cursor: Cursor | undefined,
): Promise<FoundSomewhere<Row>> {
  const find = async (work: Work, db: Queries, moment: Moment): Promise<FoundSomewhere<Row>> => {
    const { stamp, position, isCurrent } = moment;
    const snapshot = { db, stamp, work };
    const survey = cursor?.survey ?? (await source.survey(snapshot, scope, query.filter));
    // One row more than the page shows whether there is another page.
    const read = (from: Slice["from"]) =>
      source.read(snapshot, scope, query.filter, { survey, count: query.limit + 1, from, sort: query.sort });
    if (cursor?.direction === "prev") {
      const rows = await read({ before: cursor.place });
      const page = rows.slice(0, query.limit).reverse();
      return { rows: page, survey, hasPrev: rows.length > query.limit, hasNext: true, position, isCurrent };
    }
    const skip = (query.page - 1) * query.limit;
    const rows = cursor ? await read({ after: cursor.place }) : skip < survey.total ? await read({ skip }) : [];
    return {
      rows: rows.slice(0, query.limit),
      survey,
      hasPrev: query.page > 1 || cursor !== undefined,
      hasNext: rows.length > query.limit,
      position,
      isCurrent,
    };
  };
  const read = (work: Work) => {
    const findNow: Read<FoundSomewhere<Row>> = (db, moment) => find(work, db, moment);
    // A cursor without a position was made where no replica is known, which then may be behind it.
    return cursor?.position === null
      ? database.snapshot(findNow, { isLong: work.isLong })
      : database.snapshotNearby(cursor?.position ?? null, findNow, { isLong: work.isLong });
  };
  return readers.read({ caller: scope.caller.limitedAs, signal }, read);
}

function pageLinks<Row extends Placed, Field extends string>(
  { path, query }: PageRequest<Row, Field>,
  found: Found<Row>,
  seal: (direction: Cursor["direction"], place: Place) => string,
): Links {
  const filter = query.filterText === undefined ? "" : `&filter=${encodeURIComponent(query.filterText.toWellFormed())}`;
  const sort = query.sortText === undefined ? "" : `&sort=${query.sortText}`;
  const own = query.own.map(([name, value]) => `&${name}=${encodeURIComponent(value.toWellFormed())}`).join("");
  const asked = `&limit=${query.limit}${sort}${own}${filter}`;
  const to = (page: number, cursor?: string) =>
    getLink(`${path}?start=${page}${asked}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
  const lastPage = Math.max(1, Math.ceil(found.survey.total / query.limit));
  const links: Links = { self: to(query.page, query.cursor), first: to(1), last: to(lastPage) };
  const first = found.rows[0];
  const last = found.rows.at(-1);
  if (last && found.hasNext) links.next = to(query.page + 1, seal("next", last.place));
  if (first && found.hasPrev) links.prev = to(Math.max(1, query.page - 1), seal("prev", first.place));
  // Beyond the end there is no item to go back from; the last page is where the caller wants to be.
  if (!first && found.hasPrev && found.survey.total > 0) links.prev = to(lastPage);
  return links;
}
