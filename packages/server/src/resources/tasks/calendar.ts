import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import type { Queries } from "../../database/database";
import { type PreparedQuery, prepareQuery } from "../../database/prepared-query";
import { allOf } from "../../lists/comparisons";
import type { ListScope, Snapshot } from "../../lists/list-source";
import { splitFilter, taskCondition, unitConditions } from "./conditions";
import { planQuery, type QueryPlan } from "./query-plan";
import { dayLength, hourLength } from "./record";
import { allTime, pinIndex, sliceTime, type TimeRange } from "./slices";
import { splitByRange, sumsBefore } from "./stretch-sums";

type TaskFilter = Filter<TaskFilterField>;

/** How much of the counts is added up in one statement: with hundreds of units, still a few milliseconds' work. */
const hoursPerStep = 100;
const daysPerStep = 14;
/** From so many days on, the sums of all days are worth remembering. Fewer are quickly added up. */
const daysWorthKeeping = 7;
/** How many tasks are in the newest slice of those that are counted one by one. */
const newestSlice = 250;

/** How many matching tasks were created in a stretch of time. */
export interface Stretch extends TimeRange {
  count: number;
}

/** The stretches of time in which there are matching tasks, newest first: hours, days, or slices of about as many tasks. */
export type Calendar = readonly Stretch[];

/** What a survey needs to know of a calendar. */
export interface CalendarSummary {
  total: number;
  /** Where its oldest stretch begins; 0 where there is none. */
  furthest: number;
}

/** How the calendar of a filter is made. */
export interface Recipe {
  /** Gives the stretches of a part of the time. */
  read(range: TimeRange): Promise<Calendar>;
  /** Sums up all of it, where that takes less than making it. */
  summarize?(): Promise<CalendarSummary>;
  /** A part has to begin and end at a multiple of this. */
  grain: number;
  /** Whether it is made of other calendars, so that it costs little and can only be made as a whole. */
  isWhole?: true;
}

/** What is remembered of the unit, for other filters to be counted with. */
export interface KnownCounts {
  calendarOf(filter: TaskFilter): Promise<Calendar>;
  countedDays(): Promise<WholeDays>;
}

/**
 * Finds out how matching tasks are counted by the time of their creation: from the counts where possible, else from the tasks.
 * The plan is that of the filter without this time.
 */
export async function chooseRecipe(
  snapshot: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  plan: QueryPlan,
  { calendarOf, countedDays }: KnownCounts,
): Promise<Recipe> {
  if (filter.length === 0) return { read: (range) => readHours(snapshot, scope, range), grain: hourLength };
  const { counted, others } = splitFilter(filter);
  const created = createdWithin(filter);
  if (others.length > 0 && others.every(isExclusion)) {
    return { read: () => readAllBut(snapshot, scope, filter, plan, calendarOf), grain: 1, isWhole: true };
  }
  if (plan.kind === "few") {
    return { read: (range) => countFew(snapshot, plan, common(range, created)), grain: hourLength };
  }
  const whole = wholeDays(filter, await countedDays());
  if (others.length > 0 || whole.first > whole.last) {
    return { read: (range) => countInSlices(snapshot, plan, common(range, created)), grain: hourLength };
  }
  // All times are added up once and remembered, for other filters of this kind to be cut out of.
  if (counted.length < filter.length && whole.last - whole.first >= daysWorthKeeping) {
    return {
      read: async () => cutOut(snapshot, plan, await calendarOf(counted), created),
      summarize: async () => summarizeCut(snapshot, plan, await calendarOf(counted), created),
      grain: 1,
      isWhole: true,
    };
  }
  // A filter on the time of creation may cut through a day at either end; there the tasks are counted one by one.
  const [firstDay, endOfDays] = [
    Math.max(whole.first * dayLength, created.from),
    Math.min((whole.last + 1) * dayLength, created.until),
  ];
  return {
    grain: dayLength,
    read: async (range) => [
      ...(await countInSlices(snapshot, plan, common(range, { from: endOfDays, until: created.until }))),
      ...(await readDays(snapshot, scope, filter, {
        first: Math.max(whole.first, Math.floor(range.from / dayLength)),
        last: Math.min(whole.last, Math.ceil(range.until / dayLength) - 1),
      })),
      ...(await countInSlices(snapshot, plan, common(range, { from: created.from, until: firstDay }))),
    ],
  };
}

function common(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) };
}

/** Whether a filter leaves part of what another one matches, whose calendar is remembered for all of them. */
export function isPartOfAnother(filter: TaskFilter): boolean {
  const { created, others } = splitFilter(filter);
  return others.every(isExclusion) && created.length + others.length > 0;
}

function isExclusion({ field, operator }: Condition<TaskFilterField>): boolean {
  return field === "id" && operator === "$neq";
}

/** Leaves single tasks out of the count of all others, instead of counting these one by one. */
async function readAllBut(
  snapshot: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  { sizes }: QueryPlan,
  calendarOf: (filter: TaskFilter) => Promise<Calendar>,
): Promise<Calendar> {
  const rest = filter.filter((condition) => !isExclusion(condition));
  const excluded = filter.filter(isExclusion).map(({ value }) => String(value));
  const named: TaskFilter = [...rest, { field: "id", operator: "$in", value: excluded }];
  const { index, condition } = await planQuery(snapshot, scope, named, sizes);
  const { rows: tasks } = await sql<{ created_at: number }>`
    select created_at from tasks ${pinIndex(snapshot.db, index)} where ${condition}`.execute(snapshot.db);
  return (await calendarOf(rest))
    .map(({ from, until, count }) => {
      const fewer = tasks.filter(({ created_at }) => created_at >= from && created_at < until).length;
      return { from, until, count: count - fewer };
    })
    .filter(({ count }) => count > 0);
}

/** Adds up what was counted per hour, for some hours at a time. */
async function readHours({ db, work }: Snapshot, scope: ListScope, range: TimeRange): Promise<Stretch[]> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(hour) from task_hours) as first, (select max(hour) from task_hours) as last`.execute(db);
  const hours: Stretch[] = [];
  const first = Math.max(rows[0]?.first ?? 0, range.from / hourLength);
  for (let last = Math.min(rows[0]?.last ?? -1, range.until / hourLength - 1); last >= first; last -= hoursPerStep) {
    await work.step();
    const found = await db
      .selectFrom("task_hours")
      .select(["hour as number", sql<number>`sum(count)`.as("count")])
      .where(allOf(unitConditions(scope)))
      .where("hour", ">", Math.max(last - hoursPerStep, first - 1))
      .where("hour", "<=", last)
      .groupBy("hour")
      .orderBy("hour", "desc")
      .execute();
    hours.push(...stretches(found, hourLength));
  }
  return hours;
}

/** Adds up what was counted per day, for some days at a time. */
async function readDays(
  { db, work }: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  whole: WholeDays,
): Promise<Stretch[]> {
  const days: Stretch[] = [];
  const { first } = whole;
  for (let { last } = whole; last >= first; last -= daysPerStep) {
    await work.step();
    const found = await db
      .selectFrom("task_days")
      .select(["day as number", sql<number>`sum(count)`.as("count")])
      .where(allOf([...unitConditions(scope), ...splitFilter(filter).counted.map(taskCondition)]))
      .where("day", ">", Math.max(last - daysPerStep, first - 1))
      .where("day", "<=", last)
      .groupBy("day")
      .orderBy("day", "desc")
      .execute();
    days.push(...stretches(found, dayLength));
  }
  return days;
}

function stretches(rows: readonly { number: number; count: number }[], length: number): Stretch[] {
  return rows
    .filter(({ count }) => count > 0)
    .map(({ number, count }) => ({ from: number * length, until: (number + 1) * length, count }));
}

/** Cuts the part of a time out of what was counted. Tasks of stretches that it cuts through are counted one by one. */
async function cutOut(
  snapshot: Snapshot,
  plan: QueryPlan,
  calendar: Calendar,
  range: TimeRange,
): Promise<readonly Stretch[]> {
  const { newest, whole, oldest } = splitByRange(calendar, range);
  return [
    ...(await countPart(snapshot, plan, newest, range)),
    ...calendar.slice(whole.first, whole.end),
    ...(await countPart(snapshot, plan, oldest, range)),
  ];
}

/** The same, of which only the sum is wanted. */
async function summarizeCut(
  snapshot: Snapshot,
  plan: QueryPlan,
  calendar: Calendar,
  range: TimeRange,
): Promise<CalendarSummary> {
  const { newest, whole, oldest } = splitByRange(calendar, range);
  const before = sumsBefore(calendar);
  const first = await countPart(snapshot, plan, newest, range);
  const last = await countPart(snapshot, plan, oldest, range);
  const ofWhole = (before[whole.end] ?? 0) - (before[whole.first] ?? 0);
  const oldestWhole = whole.first < whole.end ? calendar[whole.end - 1] : undefined;
  const furthest = last.at(-1) ?? oldestWhole ?? first.at(-1);
  return { total: totalOf(first) + ofWhole + totalOf(last), furthest: furthest?.from ?? 0 };
}

/** How many tasks there are in some stretches. */
export function totalOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { count }) => sum + count, 0);
}

/** Counts what a range leaves of a stretch that it cuts through. */
async function countPart(
  snapshot: Snapshot,
  plan: QueryPlan,
  stretch: Stretch | undefined,
  range: TimeRange,
): Promise<Stretch[]> {
  if (!stretch) return [];
  const part = common(stretch, range);
  // Such an index leaves no other tasks to pass over, and it is known how many these are at most.
  const isShort = plan.kind === "exact" && stretch.count <= plan.sizes.slice;
  return isShort ? countTasks(snapshot, plan, [part]) : countInSlices(snapshot, plan, part);
}

/** Days from the first to the last of them. */
export interface WholeDays {
  first: number;
  last: number;
}

/** The days in which there are tasks, of whichever unit. */
export async function readCountedDays({ db }: Snapshot): Promise<WholeDays> {
  const { rows } = await sql<{ first: number | null; last: number | null }>`
    select (select min(day) from task_days) as first, (select max(day) from task_days) as last`.execute(db);
  return { first: rows[0]?.first ?? 0, last: rows[0]?.last ?? -1 };
}

/** Those of the days that a filter on the time of creation leaves whole. */
function wholeDays(filter: TaskFilter, counted: WholeDays): WholeDays {
  let { first, last } = counted;
  for (const { field, operator, value } of filter) {
    if (field !== "created_timestamp" || typeof value !== "number") continue;
    if (operator === "$gte") first = Math.max(first, Math.ceil(value / dayLength));
    if (operator === "$gt") first = Math.max(first, Math.ceil((value + 1) / dayLength));
    if (operator === "$lt") last = Math.min(last, Math.floor(value / dayLength) - 1);
    if (operator === "$lte") last = Math.min(last, Math.floor((value + 1) / dayLength) - 1);
  }
  return { first, last };
}

/** The time in which the tasks of a filter can have been created. */
export function createdWithin(filter: TaskFilter): TimeRange {
  let { from, until } = allTime;
  for (const { field, operator, value } of filter) {
    if (field !== "created_timestamp" || typeof value !== "number") continue;
    if (operator === "$gte") from = Math.max(from, value);
    if (operator === "$gt") from = Math.max(from, value + 1);
    if (operator === "$lt") until = Math.min(until, value);
    if (operator === "$lte") until = Math.min(until, value + 1);
  }
  return { from, until };
}

async function countInSlices(snapshot: Snapshot, plan: QueryPlan, range: TimeRange): Promise<Stretch[]> {
  const { slice } = plan.sizes;
  // The newest are few: what changes is mostly new, and only the slices that it lies in are counted again.
  const first = Math.min(newestSlice, slice);
  return countTasks(snapshot, plan, sliceTime(snapshot, range, { order: "desc", largest: slice, first }));
}

/** Counts all at once, those of the last hours apart from the others: they are most likely to be counted again. */
async function countFew({ db }: Snapshot, plan: QueryPlan, { from, until }: TimeRange): Promise<Stretch[]> {
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

const countStatements = new WeakMap<QueryPlan, PreparedQuery<TimeRange, CountRow>>();

function prepareCount(plan: QueryPlan): PreparedQuery<TimeRange, CountRow> {
  const known = countStatements.get(plan);
  if (known) return known;
  const prepared = prepareQuery<TimeRange, CountRow>(
    (slot, db) => sql<CountRow>`
      select count(*) as count, min(created_at) as oldest from tasks ${pinIndex(db, plan.index)}
      where ${plan.condition} and created_at >= ${slot("from")} and created_at < ${slot("until")}`,
  );
  countStatements.set(plan, prepared);
  return prepared;
}

async function countTasks(
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
