import { type SqlBool, sql } from "kysely";
import type { Queries } from "../../../database/database";
import type { Snapshot } from "../../../lists/list-source";
import { dayLength, weekLength } from "../record";
import { type Matching, pinIndex, type StatementSizes } from "./matching";
import { splitTime } from "./split-time";
import { allTime, commonTime, isEmpty, type TimeRange } from "./time-range";

/** A time, and the number of matching tasks that were created in it. */
export interface Period extends TimeRange {
  count: number;
}

/** Reads periods under a key, or gives what was read since the last commit that changed tasks. */
export type CachePeriods = (key: string, read: () => Promise<readonly Period[]>) => Promise<readonly Period[]>;

/** The number of days that one statement adds up: a few milliseconds' work with hundreds of units. */
const daysPerStep = 14;

/**
 * The times in which matching tasks were created, and how many. They are in order, do not overlap, and none is empty. As many are
 * read as are asked for.
 */
export async function* readCalendar(
  snapshot: Snapshot,
  matching: Matching,
  { order, cache, sizes }: { order: "asc" | "desc"; cache: CachePeriods; sizes: StatementSizes },
): AsyncGenerator<Period> {
  const { created, countedIn } = matching;
  if (countedIn === "tasks") {
    const counted = await cache("tasks", () => countInParts(snapshot, matching, sizes));
    yield* order === "asc" ? counted.toReversed() : counted;
    return;
  }
  const parts =
    countedIn === "task_days"
      ? readDays(snapshot, matching, order, cache)
      : [await cache("weeks", () => readCounts(snapshot.db, matching, weekLength))];
  for await (const part of parts) {
    for (const period of order === "asc" ? part.toReversed() : part) {
      const count = await countWithin(snapshot.db, matching, period);
      if (count > 0) yield { ...commonTime(period, created), count };
    }
  }
}

/** The number of tasks in the part of a period that the filter leaves. If that is not all of it, they are counted. */
async function countWithin(db: Queries, matching: Matching, period: Period): Promise<number> {
  const range = commonTime(period, matching.created);
  if (isEmpty(range)) return 0;
  const isWhole = range.from === period.from && range.until === period.until;
  return isWhole ? period.count : countTasks(db, matching, range);
}

/** Reads the days that the filter leaves, in steps that are the same for every filter. */
async function* readDays(
  { db, work }: Snapshot,
  matching: Matching,
  order: "asc" | "desc",
  cache: CachePeriods,
): AsyncGenerator<readonly Period[]> {
  const [counted = allTime] = await cache("counted days", async () => [await readCountedTime(db)]);
  const { from, until } = commonTime(counted, matching.created);
  const first = Math.floor(from / dayLength);
  const last = Math.ceil(until / dayLength) - 1;
  const steps = { first: Math.floor(first / daysPerStep), last: Math.floor(last / daysPerStep) };
  for (let done = 0; done <= steps.last - steps.first; done++) {
    const start = daysPerStep * (order === "asc" ? steps.first + done : steps.last - done);
    yield cache(`days ${start}`, async () => {
      await work.step();
      return readCounts(db, matching, dayLength, sql`and day >= ${start} and day < ${start + daysPerStep}`);
    });
  }
}

/** The days in which there are tasks of any unit; an empty time if there are none. */
async function readCountedTime(db: Queries): Promise<Period> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(day) from task_days) as first, (select max(day) from task_days) as last`.execute(db);
  const [first, last] = [rows[0]?.first ?? 0, rows[0]?.last ?? -1];
  return { from: first * dayLength, until: (last + 1) * dayLength, count: 0 };
}

/** Adds up counts by day or week, newest first. */
async function readCounts(
  db: Queries,
  { countedIn, countCondition }: Matching,
  length: number,
  within = sql``,
): Promise<Period[]> {
  const number = sql.ref(length === dayLength ? "day" : "week");
  const { rows } = await sql<{ number: number; count: number }>`
    select ${number} as number, sum(count) as count from ${sql.table(countedIn)}
    where ${countCondition} ${within} group by ${number} order by ${number} desc`.execute(db);
  return rows
    .filter(({ count }) => count > 0)
    .map(({ number, count }) => ({ from: number * length, until: (number + 1) * length, count }));
}

/** Counts tasks of which there are no counts, newest first: at once if they are few, otherwise in parts of the time. */
async function countInParts(
  snapshot: Snapshot,
  matching: Matching,
  { tasksPerStep }: StatementSizes,
): Promise<Period[]> {
  const { created, lead } = matching;
  const counted: Period[] = [];
  const ranges = Number.isFinite(lead.size)
    ? [created]
    : splitTime(snapshot, created, { order: "desc", size: tasksPerStep });
  for await (const range of ranges) {
    const count = await countTasks(snapshot.db, matching, range);
    if (count > 0) counted.push({ ...range, count });
  }
  return counted;
}

async function countTasks(db: Queries, { condition, lead }: Matching, range: TimeRange): Promise<number> {
  const within = sql<SqlBool>`created_at >= ${range.from} and created_at < ${range.until}`;
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from tasks ${pinIndex(db, lead.index)} where ${condition} and ${within}`.execute(db);
  return rows[0]?.count ?? 0;
}
