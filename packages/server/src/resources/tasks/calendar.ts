import type { Condition, Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import type { Queries } from "../../database/database";
import { hasPartitions } from "../../database/postgres-adapter";
import { allOf } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { splitFilter, taskCondition, unitConditions } from "./conditions";
import { dayLength, hourLength } from "./record";

/** The last day of the year 9999, after which no task can be created. */
const latestDay = 2_932_896;

/** How many matching tasks were created in a stretch of time, milliseconds since 1970. */
export interface Stretch {
  from: number;
  until: number;
  count: number;
}

/** The stretches of time in which there are matching tasks, newest first: hours or days. */
export type Calendar = readonly Stretch[];

/** Counts matching tasks by the time of their creation: from the counts where they can tell, else from the tasks. */
export async function readCalendar(db: Queries, scope: ListScope, filter: Filter<TaskFilterField>): Promise<Calendar> {
  if (filter.length === 0) return readHours(db, scope);
  const { others } = splitFilter(filter);
  if (others.length > 0 && others.every(isExclusion)) return readAllBut(db, scope, filter);
  const whole = wholeDays(filter);
  if (others.length > 0) {
    // Compiling such a query takes longer than it saves.
    if (hasPartitions(db)) await sql`set local jit = off`.execute(db);
    return countTasksByDay(db, scope, filter);
  }
  if (whole.first > whole.last) return countTasksByDay(db, scope, filter);
  // A filter on the time of creation may cut through a day at either end; there the tasks are counted one by one.
  const created = (operator: "$gte" | "$lt", day: number): Filter<TaskFilterField> => [
    ...filter,
    { field: "created_timestamp", operator, value: day * dayLength },
  ];
  return [
    ...(whole.last === Infinity ? [] : await countTasksByDay(db, scope, created("$gte", whole.last + 1))),
    ...(await readDays(db, scope, filter, whole)),
    ...(whole.first === -Infinity ? [] : await countTasksByDay(db, scope, created("$lt", whole.first))),
  ];
}

function isExclusion({ field, operator }: Condition<TaskFilterField>): boolean {
  return field === "id" && operator === "$neq";
}

/** Leaves single tasks out of the count of all others, instead of counting these one by one. */
async function readAllBut(db: Queries, scope: ListScope, filter: Filter<TaskFilterField>): Promise<Calendar> {
  const rest = filter.filter((condition) => !isExclusion(condition));
  const excluded = filter.filter(isExclusion).map(({ value }) => String(value));
  const left: Condition<TaskFilterField> = { field: "id", operator: "$in", value: excluded };
  const tasks = await db
    .selectFrom("tasks")
    .select("created_at")
    .where(allOf([...unitConditions(scope), ...[...rest, left].map(taskCondition)]))
    .execute();
  const calendar = await readCalendar(db, scope, rest);
  return calendar
    .map(({ from, until, count }) => {
      const fewer = tasks.filter(({ created_at }) => created_at >= from && created_at < until).length;
      return { from, until, count: count - fewer };
    })
    .filter(({ count }) => count > 0);
}

async function readHours(db: Queries, scope: ListScope): Promise<Stretch[]> {
  const rows = await db
    .selectFrom("task_hours")
    .select(["hour as number", sql<number>`sum(count)`.as("count")])
    .where(allOf(unitConditions(scope)))
    .groupBy("hour")
    .orderBy("hour", "desc")
    .execute();
  return stretches(rows, hourLength);
}

async function readDays(
  db: Queries,
  scope: ListScope,
  filter: Filter<TaskFilterField>,
  { first, last }: WholeDays,
): Promise<Stretch[]> {
  const rows = await db
    .selectFrom("task_days")
    .select(["day as number", sql<number>`sum(count)`.as("count")])
    .where(allOf([...unitConditions(scope), ...splitFilter(filter).counted.map(taskCondition)]))
    .where("day", ">=", Math.max(first, 0))
    .where("day", "<=", Math.min(last, latestDay))
    .groupBy("day")
    .orderBy("day", "desc")
    .execute();
  return stretches(rows, dayLength);
}

function stretches(rows: readonly { number: number; count: number }[], length: number): Stretch[] {
  return rows
    .filter(({ count }) => count > 0)
    .map(({ number, count }) => ({ from: number * length, until: (number + 1) * length, count }));
}

/** The days that a filter on the time of creation leaves whole. */
interface WholeDays {
  first: number;
  last: number;
}

function wholeDays(filter: Filter<TaskFilterField>): WholeDays {
  let first = -Infinity;
  let last = Infinity;
  for (const { field, operator, value } of filter) {
    if (field !== "created_timestamp" || typeof value !== "number") continue;
    if (operator === "$gte") first = Math.max(first, Math.ceil(value / dayLength));
    if (operator === "$gt") first = Math.max(first, Math.ceil((value + 1) / dayLength));
    if (operator === "$lt") last = Math.min(last, Math.floor(value / dayLength) - 1);
    if (operator === "$lte") last = Math.min(last, Math.floor((value + 1) / dayLength) - 1);
  }
  return { first, last };
}

async function countTasksByDay(db: Queries, scope: ListScope, filter: Filter<TaskFilterField>): Promise<Stretch[]> {
  // Without a remainder, because some databases do not leave it out.
  const day = sql<number>`(created_at - created_at % ${sql.lit(dayLength)}) / ${sql.lit(dayLength)}`;
  const rows = await db
    .selectFrom("tasks")
    .select([day.as("number"), sql<number>`count(*)`.as("count")])
    .where(allOf([...unitConditions(scope), ...filter.map(taskCondition)]))
    .groupBy(day)
    .orderBy(day, "desc")
    .execute();
  return stretches(rows, dayLength);
}
