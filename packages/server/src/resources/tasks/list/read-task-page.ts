import { type Expression, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import type { TaskTable } from "../../../database/schema";
import { allOf } from "../../../lists/comparisons";
import { beyond, type ListPlace } from "../../../lists/keyset";
import type { ListSnapshot, Placed, Slice, Snapshot } from "../../../lists/list-source";
import { hasArrived } from "./high-water-mark";
import { type Matching, pinIndex, type StatementSizes } from "./matching";
import { splitTime } from "./split-time";
import type { TimeBucket } from "./time-histogram";
import { commonTime, isEmpty, type TimeRange } from "./time-range";

/** A task as lists show it. */
export interface TaskRow extends Placed, Pick<TaskTable, "document"> {}

/** A page that is to be read. */
export interface WantedPage {
  matching: Matching;
  slice: Slice;
  /** Reads the calendar of the matching tasks. */
  timeHistogram: (order: "asc" | "desc") => AsyncIterable<TimeBucket>;
  sizes: StatementSizes;
}

/** The way to a page: from one end of the list or from a place, over so many tasks. */
interface Way {
  order: "asc" | "desc";
  place: ListPlace | undefined;
  skip: number;
  count: number;
  /** The time in which the tasks can have been created. */
  time: TimeRange;
  listSnapshot: ListSnapshot;
}

/** A time that one statement reads, and the number of matching tasks in it that come before the page. */
interface Part extends TimeRange {
  skip: number;
}

/** Reads a page: in one statement, or in several if one period does not have enough tasks. */
export async function readTaskPage(snapshot: Snapshot, page: WantedPage): Promise<TaskRow[]> {
  const way = wayTo(page.slice, page.matching);
  const rows: TaskRow[] = [];
  for await (const part of partsOf(snapshot, page, way)) {
    rows.push(...(await readPart(snapshot.db, page.matching, way, part, way.count - rows.length)));
    if (rows.length >= way.count) break;
  }
  return "skip" in page.slice.from && way.order === "asc" ? rows.reverse() : rows;
}

function wayTo({ from, listSnapshot, count }: Slice, { created }: Matching): Way {
  const time = { from: Math.max(created.from, listSnapshot.furthest ?? 0), until: created.until };
  if ("after" in from) {
    const until = Math.min(time.until, Number(from.after.key) + 1);
    return { order: "desc", place: from.after, skip: 0, count, time: { ...time, until }, listSnapshot };
  }
  if ("before" in from) {
    const start = Math.max(time.from, Number(from.before.key));
    return { order: "asc", place: from.before, skip: 0, count, time: { ...time, from: start }, listSnapshot };
  }
  const left = listSnapshot.total - from.skip;
  const beyondPage = left - count;
  // From the end that is nearer.
  if (from.skip <= beyondPage) return { order: "desc", place: undefined, skip: from.skip, count, time, listSnapshot };
  return {
    order: "asc",
    place: undefined,
    skip: Math.max(0, beyondPage),
    count: Math.min(count, left),
    time,
    listSnapshot,
  };
}

/** The times that a page is read from, in its order. */
async function* partsOf(
  snapshot: Snapshot,
  { matching: { accessPath, countedIn }, timeHistogram, sizes }: WantedPage,
  { order, skip, count, time }: Way,
): AsyncGenerator<Part> {
  if (accessPath.size <= sizes.few || (accessPath.isOrdered && skip <= sizes.few)) {
    yield { ...time, skip };
    return;
  }
  if (countedIn === "tasks" && skip === 0) {
    for await (const range of splitTime(snapshot, time, { order, size: sizes.tasksPerStep })) yield { ...range, skip };
    return;
  }
  // An index on a value passes over times without it, so one statement reads several periods.
  const isMerged = accessPath.index !== "tasks_in_order";
  let left = skip;
  let part: Part | undefined;
  let found = 0;
  for await (const bucket of timeHistogram(order)) {
    const range = commonTime(bucket, time);
    if (isEmpty(range)) continue;
    if (!part && left >= bucket.count) {
      left -= bucket.count;
      continue;
    }
    const { from, until } = part ?? range;
    part = { from: Math.min(from, range.from), until: Math.max(until, range.until), skip: left };
    found += bucket.count;
    if (isMerged && found - left < count) continue;
    await snapshot.work.step();
    yield part;
    [part, found, left] = [undefined, 0, 0];
  }
  if (part) yield part;
}

async function readPart(
  db: Queries,
  { condition, accessPath }: Matching,
  { order, place, listSnapshot }: Way,
  range: Part,
  count: number,
): Promise<TaskRow[]> {
  const conditions: Expression<SqlBool>[] = [
    condition,
    sql<SqlBool>`created_at >= ${range.from} and created_at < ${range.until}`,
  ];
  // A walk keeps to what had arrived when it began. Without a place, it begins with this page.
  if (place) {
    const direction = order === "asc" ? "up" : "down";
    conditions.push(hasArrived(db, listSnapshot), beyond({ key: "created_at", id: "id" }, place, direction));
  }
  // Few tasks are found first and then sorted. PostgreSQL would rather look for them in the order of the list.
  const key =
    isPostgres(db) && Number.isFinite(accessPath.size) && !accessPath.isOrdered ? "created_at + 0" : "created_at";
  const sorted = sql.raw(`order by ${key} ${order}, id ${order}`);
  const found = (columns: Expression<unknown>) => sql`
    select ${columns} from tasks ${pinIndex(db, accessPath.index)} where ${allOf(conditions)}
    ${sorted} limit ${count} offset ${range.skip}`;
  // SQLite passes over and sorts tasks without reading their documents; only those of the page are read, in the order found.
  const isReadWhole = isPostgres(db) || (accessPath.isOrdered && range.skip === 0);
  const { rows } = await (isReadWhole
    ? sql<StoredTask>`${found(sql`created_at, id, document`)}`
    : sql<StoredTask>`
        select found.created_at, found.id, document
        from (${found(sql`seq, created_at, id`)}) as found cross join tasks not indexed using (seq)
        order by found.created_at ${sql.raw(order)}, found.id ${sql.raw(order)}`
  ).execute(db);
  return rows.map(({ created_at, id, document }) => ({ place: { key: created_at, id }, document }));
}

type StoredTask = Pick<TaskTable, "created_at" | "id" | "document">;
