import { type SqlBool, sql } from "kysely";
import type { Queries } from "../../../database/database";
import type { Snapshot } from "../../../lists/list-source";
import type { DayCache } from "../counts/day-cache";
import { dayLength, weekLength } from "../record";
import { type Matching, pinIndex, type StatementSizes } from "./matching";
import { splitTime } from "./split-time";
import { commonTime, isEmpty, type TimeRange } from "./time-range";

/** A time, and the number of matching tasks that were created in it. */
export interface TimeBucket extends TimeRange {
  count: number;
}

/** The calendars that are kept. */
export interface TimeHistogramCache {
  /** Reads periods, or gives what was read since the last commit that changed tasks. */
  buckets(read: () => Promise<readonly TimeBucket[]>): Promise<readonly TimeBucket[]>;
  /** The matching tasks of each day. */
  days: DayCache<number>;
  /** Names the unit and the filter, without the time of creation. */
  query: string;
}

/** The number of days that one statement adds up: a few milliseconds' work with hundreds of units. */
const daysPerStep = 14;

/**
 * The times in which matching tasks were created, and how many. They are in order, do not overlap, and none is empty. As many are
 * read as are asked for.
 */
export async function* readTimeHistogram(
  snapshot: Snapshot,
  matching: Matching,
  { order, cache, sizes }: { order: "asc" | "desc"; cache: TimeHistogramCache; sizes: StatementSizes },
): AsyncGenerator<TimeBucket> {
  const { created, countedIn } = matching;
  if (countedIn === "tasks") {
    const counted = await cache.buckets(() => countInParts(snapshot, matching, sizes));
    yield* inOrder(order, counted);
    return;
  }
  const parts =
    countedIn === "task_days"
      ? readDays(snapshot, matching, order, cache)
      : [inOrder(order, await cache.buckets(() => readWeeks(snapshot.db, matching)))];
  for await (const part of parts) {
    for (const bucket of part) {
      const count = await countWithin(snapshot.db, matching, bucket);
      if (count > 0) yield { ...commonTime(bucket, created), count };
    }
  }
}

/** The number of tasks in the part of a period that the filter leaves. If that is not all of it, they are counted. */
async function countWithin(db: Queries, matching: Matching, bucket: TimeBucket): Promise<number> {
  const range = commonTime(bucket, matching.created);
  if (isEmpty(range)) return 0;
  const isWhole = range.from === bucket.from && range.until === bucket.until;
  return isWhole ? bucket.count : countTasks(db, matching, range);
}

/** Returns periods that are sorted from the newest to the oldest in an order. */
function inOrder(order: "asc" | "desc", buckets: readonly TimeBucket[]): readonly TimeBucket[] {
  return order === "asc" ? buckets.toReversed() : buckets;
}

/** Reads the days that the filter leaves, some at a time. */
async function* readDays(
  snapshot: Snapshot,
  matching: Matching,
  order: "asc" | "desc",
  { days, query }: TimeHistogramCache,
): AsyncGenerator<readonly TimeBucket[]> {
  const { from, until } = matching.created;
  const all = [...(await days.versions(snapshot)).keys()]
    .filter((day) => (day + 1) * dayLength > from && day * dayLength < until)
    .sort((one, other) => (order === "asc" ? one - other : other - one));
  for (let done = 0; done < all.length; done += daysPerStep) {
    const parts = all.slice(done, done + daysPerStep).map((day) => ({ day, name: String(day) }));
    const counts = await days.read(snapshot, query, parts, async (missing) => {
      await snapshot.work.step();
      return countDays(
        snapshot.db,
        matching,
        missing.map(({ day }) => day),
      );
    });
    yield parts.map(({ day }, index) => ({
      from: day * dayLength,
      until: (day + 1) * dayLength,
      count: counts[index] ?? 0,
    }));
  }
}

/** Adds up the counts of days, by day. */
async function countDays(
  db: Queries,
  { countCondition }: Matching,
  days: readonly number[],
): Promise<Map<string, number>> {
  const { rows } = await sql<{ day: number; count: number }>`
    select day, sum(count) as count from task_days
    where ${countCondition} and day >= ${Math.min(...days)} and day <= ${Math.max(...days)} group by day`.execute(db);
  return new Map(rows.map(({ day, count }) => [String(day), count]));
}

/** Adds up the counts of entities by week, newest first. */
async function readWeeks(db: Queries, { countCondition }: Matching): Promise<TimeBucket[]> {
  const { rows } = await sql<{ week: number; count: number }>`
    select week, sum(count) as count from entity_weeks where ${countCondition}
    group by week order by week desc`.execute(db);
  return rows
    .filter(({ count }) => count > 0)
    .map(({ week, count }) => ({ from: week * weekLength, until: (week + 1) * weekLength, count }));
}

/** Counts tasks of which there are no counts, newest first: at once if they are few, otherwise in parts of the time. */
async function countInParts(
  snapshot: Snapshot,
  matching: Matching,
  { tasksPerStep }: StatementSizes,
): Promise<TimeBucket[]> {
  const { created, accessPath } = matching;
  const counted: TimeBucket[] = [];
  const ranges = Number.isFinite(accessPath.size)
    ? [created]
    : splitTime(snapshot, created, { order: "desc", size: tasksPerStep });
  for await (const range of ranges) {
    const count = await countTasks(snapshot.db, matching, range);
    if (count > 0) counted.push({ ...range, count });
  }
  return counted;
}

async function countTasks(db: Queries, { condition, accessPath }: Matching, range: TimeRange): Promise<number> {
  const within = sql<SqlBool>`created_at >= ${range.from} and created_at < ${range.until}`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from tasks ${pinIndex(db, accessPath.index)} where ${condition} and ${within}`.execute(db);
  return rows[0]?.count ?? 0;
}
