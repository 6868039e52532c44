import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import { type CommitCache, type CountUse, createCommitCache } from "../../database/commit-cache";
import type { Queries } from "../../database/database";
import type { TaskTable } from "../../database/schema";
import { allOf } from "../../lists/comparisons";
import { beyond } from "../../lists/keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot, Survey } from "../../lists/list-source";
import { readInParts } from "../../lists/read-in-parts";
import { sharedWork } from "../../lists/work";
import { type Calendar, countMatching, readCalendar } from "./calendar";
import { splitFilter, taskCondition, unitConditions } from "./conditions";
import { hasArrived, horizonValue, readHorizons } from "./horizon";
import { planQuery, type QueryPlan } from "./query-plan";
import { allTime, pinIndex, type StatementSizes, sliceTime, type TimeRange, usualSizes } from "./slices";
import { readWrittenPage } from "./written-page";

/** A task as lists show it. */
export interface TaskRow extends Placed, Pick<TaskTable, "document"> {}

type StoredTask = Pick<TaskTable, "created_at" | "id" | "document">;

type TaskFilter = Filter<TaskFilterField>;

/** What is found out about a filter. */
type Remembered<Value> = (snapshot: Snapshot, scope: ListScope, filter: TaskFilter) => Promise<Value>;

/** Counts how often what is kept of lists of tasks is asked for. */
export interface TaskSourceUses {
  plans: CountUse;
  counts: CountUse;
}

/** Lists tasks, newest first. */
export function createTaskSource(
  uses: TaskSourceUses,
  sizes: StatementSizes = usualSizes,
): ListSource<TaskRow, TaskFilterField> {
  const plans = createCommitCache<QueryPlan>(2000, uses.plans);
  const calendars = createCommitCache<Calendar>(200, uses.counts);
  const surveys = createCommitCache<Survey>(2000, uses.counts);

  /** Remembers what was found out about a filter. */
  function remember<Value>(memory: CommitCache<Value>, find: Remembered<Value>): Remembered<Value> {
    return (snapshot, scope, filter) =>
      memory.getOrLoad(
        snapshot.stamp.tasks,
        `${scope.unitId} ${formatFilter(filter)}`,
        (signal) => find({ ...snapshot, work: sharedWork(snapshot.work, signal) }, scope, filter),
        { signal: snapshot.work.signal, lane: snapshot.work.isLong ? "long" : "quick" },
      );
  }

  const planOf = remember(plans, (snapshot, scope, filter) => planQuery(snapshot, scope, filter, sizes));
  const calendarOf: Remembered<Calendar> = remember(calendars, async (snapshot, scope, filter) =>
    readCalendar(snapshot, scope, filter, await planOf(snapshot, scope, filter), (part) =>
      calendarOf(snapshot, scope, part),
    ),
  );
  const surveyOf = remember(surveys, async (snapshot, scope, filter) => {
    const horizons = await readHorizons(snapshot.db, scope);
    if (splitFilter(filter).counted.length === filter.length) {
      return { total: await readTotal(snapshot, scope, filter), ...horizons, furthest: null };
    }
    const calendar = await calendarOf(snapshot, scope, filter);
    const total = calendar.reduce((sum, { count }) => sum + count, 0);
    return { total, ...horizons, furthest: calendar.at(-1)?.from ?? 0 };
  });

  /** Where a page begins that is read by a plan. */
  async function targetOf(
    snapshot: Snapshot,
    scope: ListScope,
    filter: TaskFilter,
    { plan, from, survey }: WantedPage,
  ): Promise<Target> {
    const within = { from: survey.furthest ?? allTime.from, until: allTime.until };
    const skip = "skip" in from ? from.skip : 0;
    if (plan.kind === "few") return { ...within, skip };
    if (skip === 0 && (survey.furthest === null || !("skip" in from))) return { ...within, skip };
    return { ...findStretch(await calendarOf(snapshot, scope, filter), skip), from: within.from };
  }

  return {
    survey: surveyOf,
    async read(snapshot, scope, filter, slice) {
      const page = { plan: await planOf(snapshot, scope, filter), ...slice };
      const target = await targetOf(snapshot, scope, filter, page);
      if (page.plan.kind === "many") return readInSlices(snapshot, page, target);
      return readRows(snapshot.db, page, target, { count: slice.count, skip: target.skip });
    },
    async readWritten(snapshot, scope, filter, slice) {
      const plan = await planOf(snapshot, scope, filter);
      if (plan.kind === "many") return undefined;
      const page = { plan, ...slice };
      const target = await targetOf(snapshot, scope, filter, page);
      return readWrittenPage(snapshot.db, plan, slice, { ...beyondPlace(page, target), skip: target.skip });
    },
  };
}

/** The total of a filter that only asks for what tasks are counted by. */
async function readTotal({ db }: Snapshot, scope: ListScope, filter: TaskFilter): Promise<number> {
  const row = await db
    .selectFrom("task_totals")
    .select(sql<number | null>`sum(count)`.as("total"))
    .where(allOf([...unitConditions(scope), ...filter.map(taskCondition)]))
    .executeTakeFirst();
  return row?.total ?? 0;
}

/** Where a page begins: in a stretch of time, after so many of its matching tasks. */
interface Target extends TimeRange {
  skip: number;
}

/** A page that is to be read. */
interface WantedPage extends Slice {
  plan: QueryPlan;
}

/** The stretch of time in which the item after so many others was created. */
function findStretch(calendar: Calendar, skip: number): Target {
  let left = skip;
  for (const stretch of calendar) {
    if (left < stretch.count) return { ...stretch, skip: left };
    left -= stretch.count;
  }
  return { from: 0, until: 0, skip: 0 };
}

/** Reads a page by looking through one slice of time after the other, until it is full. */
function readInSlices(snapshot: Snapshot, page: WantedPage, { skip, ...range }: Target): Promise<TaskRow[]> {
  const order = "before" in page.from ? "asc" : "desc";
  const options = { order, largest: page.plan.sizes.slice, first: 4 * page.count } as const;
  const most = page.survey.total - ("skip" in page.from ? page.from.skip : 0);
  return readInParts(
    sliceTime(snapshot, beyondPlace(page, range), options),
    { count: page.count, skip, most },
    {
      count: (slice) => countMatching(snapshot.db, page.plan, slice),
      read: (slice, limits) => readRows(snapshot.db, page, slice, limits),
    },
  );
}

/** The part of a time in which tasks can lie that come after a place, or before it. */
function beyondPlace({ from: start }: WantedPage, { from, until }: TimeRange): TimeRange {
  if ("after" in start) return { from, until: Math.min(until, Number(start.after.key) + 1) };
  if ("before" in start) return { from: Math.max(from, Number(start.before.key)), until };
  return { from, until };
}

async function readRows(
  db: Queries,
  wanted: WantedPage,
  range: TimeRange,
  { count, skip }: { count: number; skip: number },
): Promise<TaskRow[]> {
  const { plan, survey, from } = wanted;
  // SQLite seeks to one of several bounds only, so none of them may be further away than the place itself.
  const { from: earliest, until } = beyondPlace(wanted, range);
  const order = sql.raw("before" in from ? "asc" : "desc");
  const columns = { key: "created_at", id: "id" } as const;
  const conditions = [
    plan.condition,
    hasArrived(db, horizonValue(db, survey)),
    sql<SqlBool>`created_at >= ${earliest} and created_at < ${until}`,
  ];
  if ("after" in from) conditions.push(beyond(columns, from.after, "down"));
  if ("before" in from) conditions.push(beyond(columns, from.before, "up"));
  const found = (selected: RawBuilder<unknown>) => sql<StoredTask>`
    select ${selected} from tasks ${pinIndex(db, plan.index)} where ${allOf(conditions)}
    order by created_at ${order}, id ${order} limit ${count} offset ${skip}`;
  const shown = sql`created_at, id, document`;
  // On SQLite, tasks that are looked at or passed over are found in the index alone; only those of the page are read whole.
  const isWhole = isPostgres(db) || (plan.kind === "exact" && skip === 0);
  const page = isWhole
    ? found(shown)
    : sql<StoredTask>`
        select ${shown} from tasks not indexed where seq in (${found(sql`seq`)})
        order by created_at ${order}, id ${order}`;
  const { rows } = await page.execute(db);
  return rows.map(({ created_at, id, document }) => ({ place: { key: created_at, id }, document }));
}
