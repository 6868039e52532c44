import { formatFilter } from "@holdfast/api/conventions/filter";
import { getLink, type Links, type NameLinks } from "@holdfast/api/conventions/hal";
import type { Sealer } from "../access/seal";
import type { Database } from "../database/database";
import { type Cursor, type CursorPurpose, openCursor, sealCursor } from "./cursor";
import type { Place } from "./keyset";
import type { ListQuery } from "./list-query";
import type { ListScope, ListSource, Placed, Slice, Survey } from "./list-source";

/** Everything that a page is made from. */
export interface PageRequest<Row extends Placed, Field extends string> {
  source: ListSource<Row, Field>;
  scope: ListScope;
  query: ListQuery<Field>;
  resource: string;
  version: number;
  path: string;
  /** Writes an item as JSON. */
  write: (row: Row) => string;
}

export interface PageSettings {
  database: Database;
  cursorSealer: Sealer;
  nameLinks: NameLinks;
}

interface Found<Row> {
  rows: Row[];
  survey: Survey;
  hasNext: boolean;
  hasPrev: boolean;
}

/** Reads one page of a list and writes it as JSON. */
export async function readPage<Row extends Placed, Field extends string>(
  settings: PageSettings,
  request: PageRequest<Row, Field>,
): Promise<string> {
  const { query, scope } = request;
  const filterApplied = formatFilter(query.filter);
  const purpose: CursorPurpose = {
    resource: request.resource,
    version: request.version,
    unitId: scope.unitId,
    filter: filterApplied,
    limit: query.limit,
  };
  const cursor = query.cursor === undefined ? undefined : openCursor(settings.cursorSealer, query.cursor, purpose);
  const found = await findRows(settings.database, request, cursor);
  const links = pageLinks(request, found, (direction, place) =>
    sealCursor(settings.cursorSealer, { direction, place, survey: found.survey }, purpose),
  );
  // Items are written one by one and put together as text: they may have been JSON in the database already.
  const tail = JSON.stringify({
    _links: settings.nameLinks(links),
    current_count: found.rows.length,
    total_count: found.survey.total,
    start: String(query.page),
    total_pages_count: Math.ceil(found.survey.total / query.limit),
    limit: query.limit,
    filter_applied: filterApplied,
  });
  return `{"_embedded":{"items":[${found.rows.map(request.write).join(",")}]},${tail.slice(1)}`;
}

async function findRows<Row extends Placed, Field extends string>(
  database: Database,
  { source, scope, query }: PageRequest<Row, Field>,
  cursor: Cursor | undefined,
): Promise<Found<Row>> {
  return database.snapshot(async (db, stamp) => {
    const snapshot = { db, stamp };
    const survey = cursor?.survey ?? (await source.survey(snapshot, scope, query.filter));
    // One row more than the page has tells whether there is another page.
    const read = (from: Slice["from"]) =>
      source.read(snapshot, scope, query.filter, { survey, count: query.limit + 1, from });
    if (cursor?.direction === "prev") {
      const rows = await read({ before: cursor.place });
      const page = rows.slice(0, query.limit).reverse();
      return { rows: page, survey, hasPrev: rows.length > query.limit, hasNext: true };
    }
    const skip = (query.page - 1) * query.limit;
    const rows = cursor ? await read({ after: cursor.place }) : skip < survey.total ? await read({ skip }) : [];
    return {
      rows: rows.slice(0, query.limit),
      survey,
      hasPrev: query.page > 1 || cursor !== undefined,
      hasNext: rows.length > query.limit,
    };
  });
}

function pageLinks<Row extends Placed, Field extends string>(
  { path, query }: PageRequest<Row, Field>,
  found: Found<Row>,
  seal: (direction: Cursor["direction"], place: Place) => string,
): Links {
  const filter = query.filterText === undefined ? "" : `&filter=${encodeURIComponent(query.filterText.toWellFormed())}`;
  const to = (page: number, cursor?: string) =>
    getLink(`${path}?start=${page}&limit=${query.limit}${filter}${cursor === undefined ? "" : `&cursor=${cursor}`}`);
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
