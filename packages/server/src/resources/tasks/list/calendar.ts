import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import { allOf } from "../../../lists/comparisons";
import type { ListScope, Snapshot } from "../../../lists/list-source";
import { dayLength, hourLength } from "../record";
import { splitFilter, taskCondition, unitConditionsOfCounts } from "./conditions";
import { countFew, countInSlices } from "./count-stretches";
import { type CalendarSummary, cutOut, summarizeCut } from "./cut-calendar";
import { planQuery, type QueryPlan } from "./query-plan";
import { allTime, commonTime, pinIndex, type TimeRange } from "./slices";
import type { Calendar, Stretch } from "./stretches";

type TaskFilter = Filter<TaskFilterField>;

/** How much of the counts is added up in one statement: with hundreds of units, still a few milliseconds' work. */
const hoursPerStep = 100;
const daysPerStep = 14;
/** From so many days on, the sums of all days are worth remembering. Fewer are quickly added up. */
const daysWorthKeeping = 7;
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
  /** Whether that calendar is at hand. */
  isCounted(filter: TaskFilter): boolean;
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
  { calendarOf, isCounted, countedDays }: KnownCounts,
): Promise<Recipe> {
  if (filter.length === 0) return { read: (range) => readHours(snapshot, scope, range), grain: hourLength };
  const { counted, others } = splitFilter(filter);
  const created = createdWithin(filter);
  if (others.length > 0 && others.every(isExclusion)) {
    return { read: () => readAllBut(snapshot, scope, filter, plan, calendarOf), grain: 1, isWhole: true };
  }
  if (plan.kind === "few") {
    return { read: (range) => countFew(snapshot, plan, commonTime(range, created)), grain: hourLength };
  }
  const inSlices: Recipe = {
    read: (range) => countInSlices(snapshot, plan, commonTime(range, created)),
    grain: hourLength,
  };
  if (others.length > 0) return inSlices;
  const whole = wholeDays(filter, await countedDays());
  if (whole.first > whole.last) return inSlices;
  // All times are added up once and remembered, for other filters of this kind to be cut out of.
  const isWorthKeeping = whole.last - whole.first >= daysWorthKeeping || isCounted(counted);
  if (counted.length < filter.length && isWorthKeeping) {
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
      ...(await countInSlices(snapshot, plan, commonTime(range, { from: endOfDays, until: created.until }))),
      ...(await readDays(snapshot, scope, filter, {
        first: Math.max(whole.first, Math.floor(range.from / dayLength)),
        last: Math.min(whole.last, Math.ceil(range.until / dayLength) - 1),
      })),
      ...(await countInSlices(snapshot, plan, commonTime(range, { from: created.from, until: firstDay }))),
    ],
  };
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
      .where(allOf(unitConditionsOfCounts(db, scope)))
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
      .where(allOf([...unitConditionsOfCounts(db, scope), ...splitFilter(filter).counted.map(taskCondition)]))
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
