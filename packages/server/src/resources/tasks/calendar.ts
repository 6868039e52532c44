import type { Filter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import type { Queries } from "../../database/database";
import type { ListScope } from "../../lists/list-source";
import { splitFilter, taskCondition, unitConditions } from "./conditions";
import { dayLength } from "./record";

/** How many matching tasks were created on a day (UTC, days since 1970). */
export interface Day {
  day: number;
  count: number;
}

/** The days on which there are matching tasks, newest first. */
export type Calendar = readonly Day[];

/** Counts matching tasks by day: from the counts where they can tell, else from the tasks. */
export async function readCalendar(db: Queries, scope: ListScope, filter: Filter<TaskFilterField>): Promise<Calendar> {
  const { counted, others } = splitFilter(filter);
  const whole = wholeDays(filter);
  if (others.length > 0 || whole.first > whole.last) return countTasksByDay(db, scope, filter);
  const isOpen = { first: whole.first === -Infinity, last: whole.last === Infinity };
  const days = await db
    .selectFrom("task_days")
    .select(["day", sql<number>`sum(count)`.as("count")])
    .where((eb) => eb.and([...unitConditions(scope), ...counted.map(taskCondition)]))
    .where((eb) =>
      eb.and([
        ...(isOpen.first ? [] : [eb("day", ">=", whole.first)]),
        ...(isOpen.last ? [] : [eb("day", "<=", whole.last)]),
      ]),
    )
    .groupBy("day")
    .orderBy("day", "desc")
    .execute();
  // A filter on the time of creation may cut through a day at either end; there the tasks are counted one by one.
  const created = (operator: "$gte" | "$lt", day: number): Filter<TaskFilterField> => [
    ...filter,
    { field: "created_timestamp", operator, value: day * dayLength },
  ];
  return [
    ...(isOpen.last ? [] : await countTasksByDay(db, scope, created("$gte", whole.last + 1))),
    ...days.filter(({ count }) => count > 0),
    ...(isOpen.first ? [] : await countTasksByDay(db, scope, created("$lt", whole.first))),
  ];
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

async function countTasksByDay(db: Queries, scope: ListScope, filter: Filter<TaskFilterField>): Promise<Day[]> {
  const day = sql<number>`created_at / ${sql.lit(dayLength)}`;
  return db
    .selectFrom("tasks")
    .select([day.as("day"), sql<number>`count(*)`.as("count")])
    .where((eb) => eb.and([...unitConditions(scope), ...filter.map(taskCondition)]))
    .groupBy(day)
    .orderBy(day, "desc")
    .execute();
}
