import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import type { TaskTable } from "../../../database/schema";
import { beyond } from "../../../lists/keyset";
import type { Placed, Slice, Snapshot } from "../../../lists/list-source";
import { readInParts } from "../../../lists/read-in-parts";
import { countMatching } from "./count-stretches";
import { hasArrived, horizonValue } from "./horizon";
import type { QueryPlan } from "./query-plan";
import { sliceByHours, sliceTime, type TimeRange } from "./slices";
import type { Calendar, PageStart } from "./stretches";
import { type OrderedTasks, tasksInOrder } from "./tasks-in-order";

/** A task as lists show it. */
export interface TaskRow extends Placed, Pick<TaskTable, "document"> {}

type StoredTask = Pick<TaskTable, "created_at" | "id" | "document">;

/** A page that is to be read. */
export interface WantedPage extends Slice {
  plan: QueryPlan;
  /** The time in which its tasks were created. */
  created: TimeRange;
}

/** How many tasks are passed over before a page. */
export function skipOf({ from }: WantedPage): number {
  return "skip" in from ? from.skip : 0;
}

/** Where a page begins; a calendar may know that better. */
export function startOf(page: WantedPage, known: PageStart | undefined): PageStart {
  const from = Math.max(page.survey.furthest ?? 0, page.created.from);
  return known ? { ...known, from } : { from, until: page.created.until, skip: skipOf(page) };
}

/** Reads a page by looking through one slice of time after the other, until it is full. */
export function readInSlices(
  snapshot: Snapshot,
  page: WantedPage,
  { skip, ...range }: PageStart,
  hours: Calendar | undefined,
): Promise<TaskRow[]> {
  const order = "before" in page.from ? "asc" : "desc";
  const { slice: largest } = page.plan.sizes;
  const first = 4 * page.count;
  const within = beyondPlace(page, range);
  const most = page.survey.total - skipOf(page);
  return readInParts(
    hours
      ? sliceByHours(snapshot, hours, within, { order, ...ledSizes(page, hours) })
      : sliceTime(snapshot, within, { order, largest, first }),
    { count: page.count, skip, most },
    {
      count: (slice) => countMatching(snapshot.db, page.plan, slice),
      read: (slice, limits) => readRows(snapshot.db, page, slice, limits),
    },
  );
}

/**
 * How many tasks a slice may have where an index leads to some entities: it passes over all others, so that where one task in a
 * hundred matches, a slice fifty times as large is little work. Where few tasks match at all, it may be as large as it likes.
 */
function ledSizes({ plan, survey, count }: WantedPage, hours: Calendar): { first: number; largest: number } {
  const all = hours.reduce((sum, stretch) => sum + stretch.count, 0);
  const largest = plan.kind === "few" ? all : 10 * plan.sizes.slice;
  const share = Math.max(1, all / Math.max(1, survey.total) / 2);
  return { first: Math.min(largest, Math.ceil(4 * count * share)), largest };
}

/** The part of a time in which tasks can lie that come after a place, or before it. */
function beyondPlace({ from: start }: WantedPage, { from, until }: TimeRange): TimeRange {
  if ("after" in start) return { from, until: Math.min(until, Number(start.after.key) + 1) };
  if ("before" in start) return { from: Math.max(from, Number(start.before.key)), until };
  return { from, until };
}

export async function readRows(
  db: Queries,
  wanted: WantedPage,
  range: TimeRange,
  { count, skip }: { count: number; skip: number },
): Promise<TaskRow[]> {
  const { plan, survey, from } = wanted;
  // SQLite seeks to one of several bounds only, so none of them may be further away than the place itself.
  const { from: earliest, until } = beyondPlace(wanted, range);
  const order = "before" in from ? "asc" : "desc";
  const columns = { key: "created_at", id: "id" } as const;
  const conditions: Expression<SqlBool>[] = [
    hasArrived(db, horizonValue(db, survey)),
    sql<SqlBool>`created_at >= ${earliest} and created_at < ${until}`,
  ];
  if ("after" in from) conditions.push(beyond(columns, from.after, "down"));
  if ("before" in from) conditions.push(beyond(columns, from.before, "up"));
  const found = (columns: OrderedTasks["columns"]) =>
    tasksInOrder<StoredTask>(db, plan, { columns, conditions, order, count, skip });
  // On SQLite, tasks that are looked at or passed over are found in the index alone; only those of the page are read whole.
  const isWhole = isPostgres(db) || (plan.kind === "exact" && skip === 0);
  const page = isWhole
    ? found(["created_at", "id", "document"])
    : sql<StoredTask>`
        select created_at, id, document from tasks not indexed where seq in (${found(["seq"])})
        order by created_at ${sql.raw(order)}, id ${sql.raw(order)}`;
  const { rows } = await page.execute(db);
  return rows.map(({ created_at, id, document }) => ({ place: { key: created_at, id }, document }));
}
