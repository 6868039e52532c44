import { sql } from "kysely";
import { isPostgres } from "../../../database/adapter";
import type { Queries } from "../../../database/database";
import type { Work } from "../../../lists/work";

/** A stretch of time in which tasks were created, milliseconds since 1970; its end is not part of it. */
export interface TimeRange {
  from: number;
  until: number;
}

/** How many tasks there are in an hour, or in another stretch of time. */
type HourCount = TimeRange & { count: number };

/** From which end a time is cut into slices, and how many tasks the first of them and the largest have. */
interface SliceSizes {
  order: "asc" | "desc";
  largest: number;
  first: number;
}

/** All times at which a task can have been created. */
export const allTime: TimeRange = { from: 0, until: 253_402_300_800_000 };

/** The time that two ranges have in common. */
export function commonTime(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) };
}

/** How many tasks one statement may look through. */
export interface StatementSizes {
  /** So many can be looked through at once, whatever else is asked of them. */
  few: number;
  /** So many are in a slice of time, at most: a few milliseconds' work. */
  slice: number;
}

export const usualSizes: StatementSizes = { few: 2_000, slice: 5_000 };

/** Names the index that SQLite has to use, so that neither a parameter nor a statistic makes it choose another one. */
export function pinIndex(db: Queries, name: string) {
  return isPostgres(db) ? sql`` : sql`indexed by ${sql.id(name)}`;
}

/**
 * Cuts a time into slices, each with so few tasks in it, of any unit and kind, that one statement can pass over all of
 * them. The first is small, because a page is often full after it. Tasks of the same millisecond are not cut apart.
 */
export async function* sliceTime(
  { db, work }: { db: Queries; work: Work },
  range: TimeRange,
  { order, largest, first = largest }: { order: "asc" | "desc"; largest: number; first?: number },
): AsyncGenerator<TimeRange> {
  let rest = range;
  for (let size = first; rest.from < rest.until; size *= 4) {
    await work.step();
    const edge = await findEdge(db, rest, order, Math.min(size, largest));
    if (edge === undefined) {
      yield rest;
      return;
    }
    const isUp = order === "asc";
    yield isUp ? { from: rest.from, until: edge + 1 } : { from: edge, until: rest.until };
    rest = isUp ? { from: edge + 1, until: rest.until } : { from: rest.from, until: edge };
  }
}

/** The same by what was counted in each hour, without asking the database. */
export async function* sliceByHours(
  { work }: { work: Work },
  hours: readonly HourCount[],
  range: TimeRange,
  sizes: SliceSizes,
): AsyncGenerator<TimeRange> {
  for (const slice of cutAtHours(hours, range, sizes)) {
    await work.step();
    yield slice;
  }
}

/** Cuts a time at full hours, of which the newest comes first. */
function* cutAtHours(
  hours: readonly HourCount[],
  range: TimeRange,
  { order, largest, first }: SliceSizes,
): Generator<TimeRange> {
  const isUp = order === "asc";
  let rest = range;
  let [size, sum] = [Math.min(first, largest), 0];
  for (const hour of isUp ? hours.toReversed() : hours) {
    if (hour.from >= rest.until || hour.until <= rest.from) continue;
    sum += hour.count;
    if (sum < size) continue;
    const edge = isUp ? Math.min(hour.until, rest.until) : Math.max(hour.from, rest.from);
    yield isUp ? { from: rest.from, until: edge } : { from: edge, until: rest.until };
    rest = isUp ? { from: edge, until: rest.until } : { from: rest.from, until: edge };
    [size, sum] = [Math.min(4 * size, largest), 0];
  }
  if (rest.from < rest.until) yield rest;
}

/** When the last of so many tasks was created, counted from one end of the time; nothing where there are fewer. */
async function findEdge(
  db: Queries,
  { from, until }: TimeRange,
  order: "asc" | "desc",
  size: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ created_at: number }>`
    select created_at from tasks ${pinIndex(db, "tasks_in_order")}
    where created_at >= ${from} and created_at < ${until}
    order by created_at ${sql.raw(order)} limit 1 offset ${size - 1}`.execute(db);
  return rows[0]?.created_at;
}
