import type { Filter } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { sql } from "kysely";
import { type CommitCache, type CountUse, createCommitCache } from "../../../database/commit-cache";
import { allOf } from "../../../lists/comparisons";
import { filterText } from "../../../lists/filter-text";
import type { ListScope, ListSource, Snapshot, Survey } from "../../../lists/list-source";
import { sharedWork } from "../../../lists/work";
import { chooseRecipe, createdWithin, isPartOfAnother, type Recipe, readCountedDays, type WholeDays } from "./calendar";
import { noFilter, splitFilter, taskCondition, unitConditions, withoutCreated } from "./conditions";
import type { CalendarSummary } from "./cut-calendar";
import {
  asksForEntitiesOnly,
  countByEntity,
  countTasksOf,
  type EntityCounts,
  type EntitySum,
  mostCounts,
  recountByEntity,
  sumByEntity,
  weighCounts,
} from "./entity-counts";
import { type EntityNames, readEntityNames } from "./entity-names";
import { createHistoryCache, createReadChanges, type Finding, type HistoryCache } from "./history";
import { type Horizons, readHorizons } from "./horizon";
import { hasSameEntities, isToBeCounted, type KnownEntities, planQuery, type QueryPlan } from "./query-plan";
import { readInSlices, readRows, skipOf, startOf, type TaskRow, type WantedPage } from "./read-rows";
import { renewCalendar } from "./renew-calendar";
import { allTime, type StatementSizes, usualSizes } from "./slices";
import { type Calendar, findStart, totalOf } from "./stretches";

type TaskFilter = Filter<TaskFilterField>;

/** What is found out about a filter. */
type Remembered<Value> = (snapshot: Snapshot, scope: ListScope, filter: TaskFilter) => Promise<Value>;

/** What is kept until the next commit to tasks, and what for longer. */
interface Memory<Value> {
  ofMoment: CommitCache<Value>;
  lasting: HistoryCache<Value>;
}

/** Counts how often what is kept of lists of tasks is asked for. */
export interface TaskSourceUses {
  plans: CountUse;
  counts: CountUse;
}

/** How many stretches of time are remembered in all calendars together. */
const rememberedStretches = 50_000;

/** How many characters plans take together, about. Each holds its statements, and in several ways the entities that it asks for. */
const rememberedPlans = 2_000_000;
const weighPlan = ({ entities }: QueryPlan) => 10_000 + 3 * entities.length;

/** Lists tasks, newest first. */
export function createTaskSource(
  uses: TaskSourceUses,
  sizes: StatementSizes = usualSizes,
): ListSource<TaskRow, TaskFilterField> {
  const readChanges = createReadChanges();
  const memory = <Value>(capacity: number, countUse: CountUse, weigh?: (value: Value) => number): Memory<Value> => ({
    ofMoment: createCommitCache<Value>(capacity, countUse, weigh),
    lasting: createHistoryCache<Value>(readChanges, capacity, weigh),
  });
  const plans = memory<QueryPlan>(rememberedPlans, uses.plans, weighPlan);
  // These are parts of what is counted as a use.
  const horizons = memory<Horizons>(200, () => {});
  const days = memory<WholeDays>(200, () => {});
  const weighCalendar = ({ length }: Calendar) => 10 + length;
  const calendars = memory<Calendar>(rememberedStretches, uses.counts, weighCalendar);
  // Apart: there is no end of those, and they must not push out what they are made of.
  const cutCalendars = memory<Calendar>(rememberedStretches, uses.counts, weighCalendar);
  const surveys = memory<Survey>(2000, uses.counts);
  const entityCounts = memory<EntityCounts | null>(mostCounts, uses.counts, weighCounts);
  const entitySums = memory<EntitySum | null>(500, uses.counts);
  const entityNames = memory<EntityNames | null>(1, () => {});

  /** Remembers what was found out about a filter, over all commits that do not change it. */
  function remember<Value>(
    { ofMoment, lasting }: Memory<Value>,
    findingOf: (snapshot: Snapshot, scope: ListScope, filter: TaskFilter) => Finding<Value>,
  ): Remembered<Value> {
    return (snapshot, scope, filter) => {
      const key = keyOf(scope, filter);
      return ofMoment.getOrLoad(
        snapshot.stamp.tasks,
        key,
        (signal) => {
          const shared = { ...snapshot, work: sharedWork(snapshot.work, signal) };
          return lasting.get(shared, key, findingOf(shared, scope, filter));
        },
        { signal: snapshot.work.signal, lane: snapshot.work.isLong ? "long" : "quick" },
      );
    };
  }

  const horizonsOf = remember(horizons, (snapshot, scope) => ({ find: () => readHorizons(snapshot.db, scope) }));
  const countedDays = remember(days, (snapshot) => ({ find: () => readCountedDays(snapshot) }));
  const namesOf = remember(entityNames, (snapshot) => ({
    find: () => readEntityNames(snapshot),
    // Where one was changed by hand, all are read again: that counts as a change of all hours.
    renew: async (known, { hasNewEntities }) => (known && hasNewEntities ? readEntityNames(snapshot, known) : known),
  }));
  const knownPlanOf = remember(plans, (snapshot, scope, filter) => {
    const known: KnownEntities = {
      names: () => namesOf(snapshot, { ...scope, unitId: rootUnitId }, noFilter),
      async countTasks(keys) {
        // Only where the total needs these counts, too: the first time they take long.
        const isCounted = scope.unitId === rootUnitId && asksForEntitiesOnly(filter);
        const counts = isCounted ? await entityCountsOf(snapshot, scope, noFilter) : null;
        return counts ? countTasksOf(counts, keys) : undefined;
      },
    };
    const find = () => planQuery(snapshot, scope, filter, sizes, known);
    return {
      find,
      async renew(plan, { hasNewEntities }) {
        const isSame =
          !isToBeCounted(plan) && (!hasNewEntities || (await hasSameEntities(snapshot, filter, plan, known)));
        return isSame ? plan : find();
      },
    };
  });
  /** A time of creation stands in no plan: one plan, with its statements, serves all times. */
  const planOf: Remembered<QueryPlan> = (snapshot, scope, filter) =>
    knownPlanOf(snapshot, scope, withoutCreated(filter));
  const recipeOf: Remembered<Recipe> = async (snapshot, scope, filter) => {
    const plan = await planOf(snapshot, scope, filter);
    return chooseRecipe(snapshot, scope, filter, plan, {
      calendarOf: (part) => calendarOf(snapshot, scope, part),
      isCounted: (part) => isKept(calendars, snapshot, scope, part),
      countedDays: () => countedDays(snapshot, scope, noFilter),
    });
  };
  const findingCalendar = (snapshot: Snapshot, scope: ListScope, filter: TaskFilter): Finding<Calendar> => ({
    find: async () => (await recipeOf(snapshot, scope, filter)).read(allTime),
    async renew(known, { hours }) {
      const recipe = await recipeOf(snapshot, scope, filter);
      return recipe.isWhole ? recipe.read(allTime) : renewCalendar(recipe, known, hours);
    },
  });
  const wholeCalendarOf = remember(calendars, findingCalendar);
  const cutCalendarOf = remember(cutCalendars, findingCalendar);
  const calendarOf: Remembered<Calendar> = (snapshot, scope, filter) =>
    (isPartOfAnother(filter) ? cutCalendarOf : wholeCalendarOf)(snapshot, scope, filter);
  /** Up to which number tasks of all units have arrived. */
  const arrivedOf = (snapshot: Snapshot, scope: ListScope) =>
    horizonsOf(snapshot, { ...scope, unitId: rootUnitId }, noFilter);
  const entityCountsOf = remember(entityCounts, (snapshot, scope) => ({
    find: async () => (await countByEntity(snapshot, scope, await arrivedOf(snapshot, scope))) ?? null,
    async renew(known, changes) {
      const arrived = await arrivedOf(snapshot, scope);
      return (await recountByEntity(snapshot, scope, known ?? undefined, { arrived, ...changes })) ?? null;
    },
  }));
  const sums = remember(entitySums, (snapshot, scope, filter) => {
    const find = async (earlier?: EntitySum | null) => {
      const counts = await entityCountsOf(snapshot, scope, noFilter);
      const names = counts && (await namesOf(snapshot, { ...scope, unitId: rootUnitId }, noFilter));
      return counts && sumByEntity(snapshot, counts, filter, names, earlier);
    };
    return { find, renew: find };
  });
  /** One stretch for all that a filter on entities matches, where that can be summed up: enough for the total and page 1. */
  const briefOf: Remembered<Calendar | null> = async (snapshot, scope, filter) =>
    (asksForEntitiesOnly(filter) && (await sums(snapshot, scope, filter))?.calendar) || null;
  const summaryOf: Remembered<CalendarSummary> = async (snapshot, scope, filter) => {
    const summary = isPartOfAnother(filter) && (await (await recipeOf(snapshot, scope, filter)).summarize?.());
    if (summary) return summary;
    if (asksForEntitiesOnly(filter) && (await planOf(snapshot, scope, filter)).kind === "few") {
      // However they are counted, the survey is the same: cursors hold it. All counts are not renewed for the sake of few tasks.
      const isCounted = isKept(entityCounts, snapshot, scope, noFilter);
      const few =
        (isCounted && (await briefOf(snapshot, scope, filter))) || (await calendarOf(snapshot, scope, filter));
      return { total: totalOf(few), furthest: 0 };
    }
    const calendar = (await briefOf(snapshot, scope, filter)) ?? (await calendarOf(snapshot, scope, filter));
    return { total: totalOf(calendar), furthest: calendar.at(-1)?.from ?? 0 };
  };
  const surveyOf = remember(surveys, (snapshot, scope, filter) => ({
    async find() {
      const arrived = await horizonsOf(snapshot, scope, noFilter);
      if (splitFilter(filter).counted.length === filter.length) {
        return { total: await readTotal(snapshot, scope, filter), ...arrived, furthest: null };
      }
      return { ...(await summaryOf(snapshot, scope, filter)), ...arrived };
    },
  }));

  /** How many tasks all units have in each hour. */
  const hoursOf = (snapshot: Snapshot, scope: ListScope) =>
    calendarOf(snapshot, { ...scope, unitId: rootUnitId }, noFilter);

  /** The calendar that says where a page begins; nothing where an index leads there, or where few are looked through. */
  async function calendarFor(
    snapshot: Snapshot,
    scope: ListScope,
    filter: TaskFilter,
    { plan, from, survey }: WantedPage,
  ): Promise<Calendar | undefined> {
    if (plan.kind === "few" || !("skip" in from)) return undefined;
    if (from.skip === 0 && (plan.kind === "exact" || survey.furthest === null)) return undefined;
    const brief = from.skip === 0 ? await briefOf(snapshot, scope, filter) : null;
    return brief ?? calendarOf(snapshot, scope, filter);
  }

  return {
    survey: surveyOf,
    async read(snapshot, scope, filter, slice) {
      const page = { plan: await planOf(snapshot, scope, filter), created: createdWithin(filter), ...slice };
      const calendar = await calendarFor(snapshot, scope, filter, page);
      const start = startOf(page, calendar && findStart(calendar, skipOf(page)));
      if (page.plan.kind === "many") {
        const isLed = page.plan.index === "tasks_by_entity_key";
        const hours = isLed ? await hoursOf(snapshot, scope) : undefined;
        return readInSlices(snapshot, page, start, hours);
      }
      return readRows(snapshot.db, page, start, { count: slice.count, skip: start.skip });
    },
  };
}

function keyOf({ unitId }: ListScope, filter: TaskFilter): string {
  return `${unitId} ${filterText(filter)}`;
}

/** Whether something was found out about a filter since the last commit to tasks. */
function isKept({ ofMoment }: Memory<unknown>, { stamp }: Snapshot, scope: ListScope, filter: TaskFilter): boolean {
  return ofMoment.peek(stamp.tasks, keyOf(scope, filter)) !== undefined;
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
