import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import { createMemory } from "../../database/memory";
import { beyond } from "../../lists/keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot, Survey } from "../../lists/list-source";
import { type Calendar, readCalendar } from "./calendar";
import { splitFilter, taskCondition, unitConditions } from "./conditions";
import { dayLength } from "./record";

/** A task as lists show it. */
export interface TaskRow extends Placed {
  id: string;
  document: string;
}

type TaskFilter = Filter<TaskFilterField>;

/** Lists tasks, newest first. */
export function createTaskSource(): ListSource<TaskRow, TaskFilterField> {
  const calendars = createMemory<Calendar>(200);
  const surveys = createMemory<Survey>(2000);

  const calendarOf = ({ db, stamp }: Snapshot, scope: ListScope, filter: TaskFilter) =>
    calendars.recall(stamp, `${scope.unitId} ${formatFilter(filter)}`, () => readCalendar(db, scope, filter));

  async function readSurvey(snapshot: Snapshot, scope: ListScope, filter: TaskFilter): Promise<Survey> {
    const horizon = await readHorizon(snapshot, scope);
    if (splitFilter(filter).counted.length === filter.length) {
      return { total: await readTotal(snapshot, scope, filter), horizon, furthest: null };
    }
    const calendar = await calendarOf(snapshot, scope, filter);
    const total = calendar.reduce((sum, { count }) => sum + count, 0);
    return { total, horizon, furthest: (calendar.at(-1)?.day ?? 0) * dayLength };
  }

  return {
    survey: (snapshot, scope, filter) =>
      surveys.recall(snapshot.stamp, `${scope.unitId} ${formatFilter(filter)}`, () =>
        readSurvey(snapshot, scope, filter),
      ),
    async read(snapshot, scope, filter, slice) {
      const { from, survey } = slice;
      const startsInSight = survey.furthest === null && "skip" in from && from.skip === 0;
      if (startsInSight || !("skip" in from)) return readRows(snapshot, scope, filter, slice);
      const { day, skip } = findDay(await calendarOf(snapshot, scope, filter), from.skip);
      return readRows(snapshot, scope, filter, { ...slice, from: { skip } }, (day + 1) * dayLength);
    },
  };
}

async function readHorizon({ db }: Snapshot, scope: ListScope): Promise<number> {
  const row = await db
    .selectFrom("task_totals")
    .select((eb) => eb.fn.max("last_seq").as("seq"))
    .where((eb) => eb.and(unitConditions(scope)))
    .executeTakeFirst();
  return row?.seq ?? 0;
}

/** The total of a filter that only asks for what tasks are counted by. */
async function readTotal({ db }: Snapshot, scope: ListScope, filter: TaskFilter): Promise<number> {
  const row = await db
    .selectFrom("task_totals")
    .select(sql<number | null>`sum(count)`.as("total"))
    .where((eb) => eb.and([...unitConditions(scope), ...filter.map(taskCondition)]))
    .executeTakeFirst();
  return row?.total ?? 0;
}

/** The day on which the item after so many others was created, and how many of that day's still come before it. */
function findDay(calendar: Calendar, skip: number): { day: number; skip: number } {
  let left = skip;
  for (const { day, count } of calendar) {
    if (left < count) return { day, skip: left };
    left -= count;
  }
  return { day: 0, skip: left };
}

async function readRows(
  { db }: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  { survey, count, from }: Slice,
  createdBefore?: number,
): Promise<TaskRow[]> {
  const order = "before" in from ? "asc" : "desc";
  const columns = { key: "created_at", id: "id" } as const;
  let query = db
    .selectFrom("tasks")
    .select(["seq"])
    .where((eb) => eb.and([...unitConditions(scope), ...filter.map(taskCondition)]))
    .where("seq", "<=", survey.horizon)
    .orderBy("created_at", order)
    .orderBy("id", order)
    .limit(count);
  if (survey.furthest !== null) query = query.where("created_at", ">=", survey.furthest);
  if (createdBefore !== undefined) query = query.where("created_at", "<", createdBefore);
  if ("after" in from) query = query.where((eb) => beyond(eb, columns, from.after, "down"));
  if ("before" in from) query = query.where((eb) => beyond(eb, columns, from.before, "up"));
  if ("skip" in from && from.skip > 0) query = query.offset(from.skip);
  // The rows are found in the index alone; only those of the page are then read whole.
  const rows = await db
    .selectFrom("tasks")
    .select(["created_at", "id", "document"])
    .where("seq", "in", query)
    .orderBy("created_at", order)
    .orderBy("id", order)
    .execute();
  return rows.map(({ created_at, id, document }) => ({ place: { key: created_at, id }, id, document }));
}
