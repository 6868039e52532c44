import { sql } from "kysely";
import type { Queries } from "../../../database/database";
import { type PreparedQuery, prepareQuery } from "../../../database/prepared-query";
import type { Snapshot } from "../../../lists/list-source";
import { hourLength } from "../record";
import type { QueryPlan } from "./query-plan";
import { pinIndex, sliceTime, type TimeRange } from "./slices";
import type { Stretch } from "./stretches";

/** How many tasks are in the newest slice of those that are counted one by one. */
const newestSlice = 250;
/** So many tasks are counted at once, where the index leaves no others to pass over. */
const countedAtOnce = 1_000;

/** Counts in one slice of time after the other. */
export async function countInSlices(snapshot: Snapshot, plan: QueryPlan, range: TimeRange): Promise<Stretch[]> {
  const { slice } = plan.sizes;
  const all = plan.hasNoOthers && (await countUpTo(snapshot.db, plan, range, Math.min(slice, countedAtOnce)));
  if (all) return all;
  // The newest are few: what changes is mostly new, and only the slices that it lies in are counted again.
  const first = Math.min(newestSlice, slice);
  return countTasks(snapshot, plan, sliceTime(snapshot, range, { order: "desc", largest: slice, first }));
}

/** Counts all at once, those of the last hours apart from the others: they are most likely to be counted again. */
export async function countFew({ db }: Snapshot, plan: QueryPlan, { from, until }: TimeRange): Promise<Stretch[]> {
  const edge = Math.min(until, Math.max(from, (Math.floor(Date.now() / hourLength) - 1) * hourLength));
  const { rows } = await sql<{ count: number; recent: number | null }>`
    select count(*) as count, sum(case when created_at >= ${edge} then 1 else 0 end) as recent
    from tasks ${pinIndex(db, plan.index)}
    where ${plan.condition} and created_at >= ${from} and created_at < ${until}`.execute(db);
  const { count = 0, recent } = rows[0] ?? {};
  const late = recent ?? 0;
  return [
    { from: edge, until, count: late },
    { from, until: edge, count: count - late },
  ];
}

interface CountRow {
  count: number;
  oldest: number | null;
}

interface Bounded extends TimeRange {
  limit: number;
}

const boundedStatements = new WeakMap<QueryPlan, PreparedQuery<Bounded, CountRow>>();

/** Counts the tasks of a time in one statement; nothing where there are more than the limit. */
async function countUpTo(
  db: Queries,
  plan: QueryPlan,
  { from, until }: TimeRange,
  limit: number,
): Promise<Stretch[] | undefined> {
  if (from >= until) return [];
  const statement =
    boundedStatements.get(plan) ??
    prepareQuery<Bounded, CountRow>(
      (slot, db) => sql<CountRow>`
        select count(*) as count, min(created_at) as oldest from (
          select created_at from tasks ${pinIndex(db, plan.index)}
          where ${plan.condition} and created_at >= ${slot("from")} and created_at < ${slot("until")} limit ${slot("limit")}
        ) as found`,
    );
  boundedStatements.set(plan, statement);
  const [row] = await statement.run(db, { from, until, limit: limit + 1 });
  const { count = 0, oldest = null } = row ?? {};
  if (count > limit) return undefined;
  return count === 0 ? [] : [{ from: oldest ?? from, until, count }];
}

const countStatements = new WeakMap<QueryPlan, PreparedQuery<TimeRange, CountRow>>();

function prepareCount(plan: QueryPlan): PreparedQuery<TimeRange, CountRow> {
  const known = countStatements.get(plan);
  if (known) return known;
  // PostgreSQL counts one word of ours, and all tasks, in the same way at any time: planning takes twice as long as counting.
  const word = plan.words?.length === 1 ? plan.words[0] : undefined;
  const hasOnePlan = word !== undefined || (plan.kind === "exact" && plan.index === "tasks_in_order");
  const prepared = prepareQuery<TimeRange, CountRow>(
    (slot, db) => sql<CountRow>`
      select count(*) as count, min(created_at) as oldest from tasks ${pinIndex(db, plan.index)}
      where ${word ?? plan.condition} and created_at >= ${slot("from")} and created_at < ${slot("until")}`,
    { hasOnePlan },
  );
  countStatements.set(plan, prepared);
  return prepared;
}

/** Counts the tasks of each of some stretches of time. */
export async function countTasks(
  { db }: Snapshot,
  plan: QueryPlan,
  ranges: AsyncIterable<TimeRange> | Iterable<TimeRange>,
): Promise<Stretch[]> {
  const statement = prepareCount(plan);
  const counted: Stretch[] = [];
  for await (const { from, until } of ranges) {
    const [row] = await statement.run(db, { from, until });
    const { count = 0, oldest = null } = row ?? {};
    // From its oldest on, so that where a calendar ends does not depend on how time was cut.
    if (count > 0) counted.push({ from: oldest ?? from, until, count });
  }
  return counted;
}

/** How many tasks match that were created in a stretch of time. */
export async function countMatching(db: Queries, plan: QueryPlan, { from, until }: TimeRange): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from tasks ${pinIndex(db, plan.index)}
    where ${plan.condition} and created_at >= ${from} and created_at < ${until}`.execute(db);
  return rows[0]?.count ?? 0;
}
