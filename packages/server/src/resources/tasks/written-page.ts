import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import type { Queries } from "../../database/database";
import { type PreparedQuery, prepareQuery } from "../../database/prepared-query";
import { allOf } from "../../lists/comparisons";
import { beyond, type Place } from "../../lists/keyset";
import type { Slice, WrittenSlice } from "../../lists/list-source";
import { hasArrived, horizonValue } from "./horizon";
import type { QueryPlan } from "./query-plan";
import { pinIndex, type TimeRange } from "./slices";

/** What differs between two pages of the same plan that are read in the same direction. */
interface PageValues {
  horizon: number | string;
  earliest: number;
  until: number;
  count: number;
  skip: number;
  key: number;
  id: string;
}

interface WrittenRow {
  /** The tasks with commas in between; none gives null. */
  items: Uint8Array<ArrayBuffer> | string | null;
  /** Of each task the time of creation, the id, and how many bytes it takes, as JSON. */
  places: string | null;
}

type Entry = readonly [createdAt: number, id: string, bytes: number];

type Direction = "first" | "after" | "before";

const statements = new WeakMap<QueryPlan, Partial<Record<Direction, PreparedQuery<PageValues, WrittenRow>>>>();

/**
 * Reads a page as one value that goes to the socket as it is: no object and no text is made for each task. The one task that
 * is read beyond the page is cut off again.
 */
export async function readWrittenPage(
  db: Queries,
  plan: QueryPlan,
  { survey, count, from }: Slice,
  { from: earliest, until, skip }: TimeRange & { skip: number },
): Promise<WrittenSlice> {
  const direction = "after" in from ? "after" : "before" in from ? "before" : "first";
  const place = "after" in from ? from.after : "before" in from ? from.before : { key: 0, id: "" };
  const known = statements.get(plan) ?? {};
  statements.set(plan, known);
  known[direction] ??= preparePage(plan, direction);
  const [row] = await known[direction].run(db, {
    horizon: horizonValue(db, survey),
    earliest,
    until,
    count,
    skip,
    key: Number(place.key),
    id: place.id,
  });
  return row ? takeApart(row, count, direction) : nothing;
}

const nothing: WrittenSlice = { items: new Uint8Array(), count: 0, ends: undefined, hasMore: false };

function preparePage(plan: QueryPlan, direction: Direction): PreparedQuery<PageValues, WrittenRow> {
  return prepareQuery<PageValues, WrittenRow>((slot, db) => {
    const columns = { key: "created_at", id: "id" } as const;
    const place = { key: slot("key"), id: slot("id") };
    const conditions = [
      plan.condition,
      hasArrived(db, slot("horizon")),
      sql<SqlBool>`created_at >= ${slot("earliest")} and created_at < ${slot("until")}`,
      ...(direction === "first" ? [] : [beyond(columns, place, direction === "after" ? "down" : "up")]),
    ];
    const found = (selected: RawBuilder<unknown>, order: RawBuilder<unknown>) => sql`
      select ${selected} from tasks ${pinIndex(db, plan.index)} where ${allOf(conditions)}
      order by created_at ${order}, id ${order} limit ${slot("count")} offset ${slot("skip")}`;
    const order = direction === "before" ? sql`asc` : sql`desc`;
    if (isPostgres(db)) {
      const newestFirst = sql`order by created_at desc, id desc`;
      return sql<WrittenRow>`
        select string_agg(document, ',' ${newestFirst}) as items,
          json_agg(json_build_array(created_at, id, octet_length(document)) ${newestFirst})::text as places
        from (${found(sql`created_at, id, document`, order)}) as page`;
    }
    const numbers =
      direction === "before"
        ? sql`select seq from (${found(sql`seq, created_at, id`, order)}) order by created_at desc, id desc`
        : found(sql`seq`, order);
    // Tasks that are passed over are found in the index alone. A cross join keeps the order of its left side.
    return sql<WrittenRow>`
      select cast(group_concat(shown.document, ',') as blob) as items,
        json_group_array(json_array(shown.created_at, shown.id, octet_length(shown.document))) as places
      from (${numbers}) as page cross join tasks as shown on shown.seq = page.seq`;
  });
}

function takeApart({ items, places }: WrittenRow, count: number, direction: Direction): WrittenSlice {
  if (items === null || places === null) return nothing;
  const all: readonly Entry[] = JSON.parse(places);
  const bytes = typeof items === "string" ? Buffer.from(items) : items;
  const hasMore = all.length === count;
  const isBefore = direction === "before";
  const beyondPage = hasMore ? all.at(isBefore ? 0 : -1) : undefined;
  const shown = hasMore ? all.slice(isBefore ? 1 : 0, isBefore ? undefined : -1) : all;
  const [first, last] = [shown[0], shown.at(-1)];
  if (first === undefined || last === undefined) return { ...nothing, hasMore };
  const extra = beyondPage === undefined ? 0 : beyondPage[2] + 1;
  return {
    items: isBefore ? bytes.subarray(extra) : bytes.subarray(0, bytes.length - extra),
    count: shown.length,
    ends: { first: placeOf(first), last: placeOf(last) },
    hasMore,
  };
}

function placeOf([key, id]: Entry): Place {
  return { key, id };
}
