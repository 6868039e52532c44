import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import { createMemory } from "../../database/memory";
import { isPostgres } from "../../database/postgres-adapter";
import { allOf } from "../../lists/comparisons";
import { beyond, type Place } from "../../lists/keyset";
import type { ListScope, ListSource, Placed, Slice, Snapshot, Survey } from "../../lists/list-source";
import { type Calendar, readCalendar, type Stretch } from "./calendar";
import { splitFilter, taskCondition, unitConditions } from "./conditions";

/** A task as lists show it. */
export interface TaskRow extends Placed {
  document: string;
}

/** Passing over so few tasks in an index costs less than another query. */
const fewToSkip = 500;

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
    return { total, horizon, furthest: calendar.at(-1)?.from ?? 0 };
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
      const target = findStretch(await calendarOf(snapshot, scope, filter), from.skip);
      if (target.skip <= fewToSkip) return readRows(snapshot, scope, filter, slice, target);
      const after = await findPlace(snapshot, scope, filter, target);
      // Where months are removed whole, tasks can go that were counted a moment ago.
      return after === undefined ? [] : readRows(snapshot, scope, filter, { ...slice, from: { after } });
    },
  };
}

async function readHorizon({ db }: Snapshot, scope: ListScope): Promise<number> {
  const row = await db
    .selectFrom("task_totals")
    .select((eb) => eb.fn.max("last_seq").as("seq"))
    .where(allOf(unitConditions(scope)))
    .executeTakeFirst();
  return row?.seq ?? 0;
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

interface Target extends Stretch {
  /** How many items of the stretch come before the wanted one. */
  skip: number;
}

/** The stretch of time in which the item after so many others was created. */
function findStretch(calendar: Calendar, skip: number): Target {
  let left = skip;
  for (const stretch of calendar) {
    if (left < stretch.count) return { ...stretch, skip: left };
    left -= stretch.count;
  }
  return { from: 0, until: 0, count: 0, skip: 0 };
}

/** The place of the item just before the wanted one, counted from whichever end of the stretch is nearer. */
async function findPlace(
  { db }: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  { from, until, count, skip }: Target,
): Promise<Place | undefined> {
  const isNearEnd = skip > count / 2;
  const order = isNearEnd ? "asc" : "desc";
  const found = await db
    .selectFrom("tasks")
    .select(["created_at", "id"])
    .where(allOf([...unitConditions(scope), ...filter.map(taskCondition)]))
    .where("created_at", ">=", from)
    .where("created_at", "<", until)
    .orderBy("created_at", order)
    .orderBy("id", order)
    .offset(isNearEnd ? count - skip : skip - 1)
    .limit(1)
    .executeTakeFirst();
  return found && { key: found.created_at, id: found.id };
}

async function readRows(
  { db }: Snapshot,
  scope: ListScope,
  filter: TaskFilter,
  { survey, count, from }: Slice,
  target?: Target,
): Promise<TaskRow[]> {
  const order = "before" in from ? "asc" : "desc";
  const columns = { key: "created_at", id: "id" } as const;
  const conditions = [...unitConditions(scope), ...filter.map(taskCondition)];
  let query = db
    .selectFrom("tasks")
    .where(allOf(conditions))
    .where("seq", "<=", survey.horizon)
    .orderBy("created_at", order)
    .orderBy("id", order)
    .limit(count);
  if (survey.furthest !== null) query = query.where("created_at", ">=", survey.furthest);
  if (target) query = query.where("created_at", "<", target.until).offset(target.skip);
  if ("after" in from) query = query.where(beyond(columns, from.after, "down"));
  if ("before" in from) query = query.where(beyond(columns, from.before, "up"));
  const shown = ["created_at", "id", "document"] as const;
  // Where a filter has to be checked, rows are found in the index alone and only those of the page are read whole.
  const page =
    conditions.length === 0 || isPostgres(db)
      ? query.select(shown)
      : db
          .selectFrom("tasks")
          .select(shown)
          .where("seq", "in", query.select("seq"))
          .orderBy("created_at", order)
          .orderBy("id", order);
  const rows = await page.execute();
  return rows.map(({ created_at, id, document }) => ({ place: { key: created_at, id }, document }));
}
