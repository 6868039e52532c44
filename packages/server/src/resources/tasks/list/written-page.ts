import { type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import { type PreparedQuery, prepareQuery } from "../../../database/prepared-query";
import { beyond, type Place } from "../../../lists/keyset";
import type { Slice, WrittenSlice } from "../../../lists/list-source";
import { hasArrived, horizonValue } from "./horizon";
import { type Entry, readSummary, writeOnPostgres } from "./postgres-page";
import type { QueryPlan } from "./query-plan";
import type { TimeRange } from "./slices";
import { type OrderedTasks, tasksInOrder } from "./tasks-in-order";

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
  /** A JSON array: on SQLite the numbers of all tasks, because writing their places takes longer; on PostgreSQL a summary. */
  tasks: string | null;
}

type Direction = "first" | "after" | "before";

/** The statements of a plan. */
interface Statements extends Partial<Record<Direction, PreparedQuery<PageValues, WrittenRow>>> {
  entries: PreparedQuery<EntryNumbers, EntryRow>;
}

const statements = new WeakMap<QueryPlan, Statements>();

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
  const known: Statements = statements.get(plan) ?? { entries: prepareEntries() };
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
  if (!row || row.items === null || row.tasks === null) return nothing;
  const items = typeof row.items === "string" ? Buffer.from(row.items) : row.items;
  const tasks: readonly (Entry | number | undefined)[] = isPostgres(db)
    ? readSummary(row.tasks)
    : JSON.parse(row.tasks);
  const ends = endsOf(tasks, count, direction);
  const entries = await readEntries(db, known.entries, ends.tasks);
  return cutOff(items, { entries, count: ends.count }, direction);
}

const nothing: WrittenSlice = { items: new Uint8Array(), count: 0, ends: undefined, hasMore: false };

function preparePage(plan: QueryPlan, direction: Direction): PreparedQuery<PageValues, WrittenRow> {
  const isExact = plan.kind === "exact" && (plan.index === "tasks_in_order" || plan.words !== undefined);
  const options = {
    hasOnePlan: isExact || plan.namesEntitiesOnly === true,
    isLast: true,
    bytes: "items",
  };
  return prepareQuery<PageValues, WrittenRow>((slot, db) => {
    const columns = { key: "created_at", id: "id" } as const;
    const place = { key: slot("key"), id: slot("id") };
    const conditions = [
      hasArrived(db, slot("horizon")),
      sql<SqlBool>`created_at >= ${slot("earliest")} and created_at < ${slot("until")}`,
      ...(direction === "first" ? [] : [beyond(columns, place, direction === "after" ? "down" : "up")]),
    ];
    const isTurned = direction === "before";
    const found = (columns: OrderedTasks["columns"]) =>
      tasksInOrder(db, plan, {
        columns,
        conditions,
        order: isTurned ? "asc" : "desc",
        count: slot("count"),
        skip: slot("skip"),
      });
    if (isPostgres(db)) {
      const tasks = found(["created_at", "id", "document"]);
      return writeOnPostgres(
        db,
        isTurned ? sql`select * from (${tasks}) as turned order by created_at desc, id desc` : tasks,
      );
    }
    const numbers = isTurned
      ? sql`select seq from (${found(["seq", "created_at", "id"])}) order by created_at desc, id desc`
      : found(["seq"]);
    // Tasks that are passed over are found in the index alone. A cross join keeps the order of its left side.
    return sql<WrittenRow>`
      select cast(group_concat(shown.document, ',') as blob) as items,
        '[' || group_concat(shown.seq) || ']' as tasks
      from (${numbers}) as page cross join tasks as shown on shown.seq = page.seq`;
  }, options);
}

/** Which tasks are the first and the last of a page and the one beyond it, and how many the page has. */
function endsOf(tasks: readonly (Entry | number | undefined)[], count: number, direction: Direction) {
  const hasMore = tasks.length === count;
  const isBefore = direction === "before";
  const shown = hasMore ? tasks.length - 1 : tasks.length;
  const firstAt = hasMore && isBefore ? 1 : 0;
  const ends = [
    shown > 0 ? tasks[firstAt] : undefined,
    shown > 0 ? tasks[firstAt + shown - 1] : undefined,
    hasMore ? tasks.at(isBefore ? 0 : -1) : undefined,
  ];
  return { tasks: ends, count: shown };
}

type EntryNumbers = Record<"one" | "two" | "three", number>;

interface EntryRow {
  seq: number;
  created_at: number;
  id: string;
  bytes: number;
}

const prepareEntries = () =>
  prepareQuery<EntryNumbers, EntryRow>(
    (slot) => sql<EntryRow>`
      select seq, created_at, id, octet_length(document) as bytes from tasks not indexed
      where seq in (${slot("one")}, ${slot("two")}, ${slot("three")})`,
  );

/** Reads those of up to three tasks of which only the number is known. */
async function readEntries(
  db: Queries,
  byNumber: PreparedQuery<EntryNumbers, EntryRow>,
  tasks: readonly (Entry | number | undefined)[],
): Promise<(Entry | undefined)[]> {
  const [one = 0, two = 0, three = 0] = tasks.map((task) => (typeof task === "number" ? task : 0));
  const rows = one + two + three > 0 ? await byNumber.run(db, { one, two, three }) : [];
  return tasks.map((task) => {
    if (typeof task !== "number") return task;
    const row = rows.find(({ seq }) => seq === task);
    return row && [row.created_at, row.id, row.bytes];
  });
}

/** What is at the ends of a page. */
interface PageEnds {
  /** The first and the last task of the page, and the one beyond it. */
  entries: readonly (Entry | undefined)[];
  count: number;
}

function cutOff(
  items: Uint8Array<ArrayBuffer>,
  { entries: [first, last, beyond], count }: PageEnds,
  direction: Direction,
): WrittenSlice {
  const hasMore = beyond !== undefined;
  if (!first || !last) return { ...nothing, hasMore };
  const extra = beyond === undefined ? 0 : beyond[2] + 1;
  return {
    items: direction === "before" ? items.subarray(extra) : items.subarray(0, items.length - extra),
    count,
    ends: { first: placeOf(first), last: placeOf(last) },
    hasMore,
  };
}

function placeOf([key, id]: Entry): Place {
  return { key, id };
}
