import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type CountUse, createCommitCache } from "../../../database/commit-cache";
import type { ListScope, ListSource, Snapshot, Survey } from "../../../lists/list-source";
import { createDayCache } from "../counts/day-cache";
import { type Period, readCalendar } from "./calendar";
import { withoutCreated } from "./conditions";
import { readArrived } from "./horizon";
import { defaultSizes, type Matching, matchTasks } from "./matching";
import { readTaskPage, type TaskRow } from "./read-task-page";

type TaskFilter = Filter<TaskFilterField>;

/** The number of periods that are kept for all filters together. */
const maxPeriods = 20_000;
/** The bytes of counts that are kept by filter and day. */
const maxDayBytes = 4_000_000;
/** The number of filters whose matching and survey are kept. */
const maxFilters = 500;

/** Lists tasks, newest first. */
export function createTaskSource(countUse: CountUse, sizes = defaultSizes): ListSource<TaskRow, TaskFilterField> {
  const matchings = createCommitCache<Matching>(maxFilters, () => {});
  const surveys = createCommitCache<Survey>(maxFilters, () => {});
  const periods = createCommitCache<readonly Period[]>(maxPeriods, countUse, ({ length }) => 10 + length);
  const days = createDayCache<number>(maxDayBytes, { empty: 0, bytesOf: () => 0, countUse });

  function matchingOf({ db, stamp }: Snapshot, scope: ListScope, filter: TaskFilter): Promise<Matching> {
    return matchings.getOrLoadAlone(stamp.tasks, keyOf(scope, filter), () => matchTasks(db, scope, filter, sizes));
  }

  /** Reads the calendar of the matching tasks. What is counted by day or week is kept for all times of creation. */
  function calendarOf(snapshot: Snapshot, scope: ListScope, filter: TaskFilter, matching: Matching) {
    const query = keyOf(scope, matching.countedIn === "tasks" ? filter : withoutCreated(filter));
    const cache = {
      periods: (read: () => Promise<readonly Period[]>) => periods.getOrLoadAlone(snapshot.stamp.tasks, query, read),
      days,
      query,
    };
    return (order: "asc" | "desc") => readCalendar(snapshot, matching, { order, cache, sizes });
  }

  async function survey(snapshot: Snapshot, scope: ListScope, filter: TaskFilter): Promise<Survey> {
    const [arrived, matching] = await Promise.all([
      readArrived(snapshot.db, scope),
      matchingOf(snapshot, scope, filter),
      // Likely to be asked for next.
      days.versions(snapshot),
    ]);
    const found = { total: 0, ...arrived, furthest: 0 };
    for await (const { from, count } of calendarOf(snapshot, scope, filter, matching)("desc")) {
      found.total += count;
      found.furthest = from;
    }
    return found;
  }

  return {
    survey(snapshot, scope, filter) {
      return surveys.getOrLoadAlone(snapshot.stamp.tasks, keyOf(scope, filter), () => survey(snapshot, scope, filter));
    },
    async read(snapshot, scope, filter, slice) {
      const matching = await matchingOf(snapshot, scope, filter);
      const calendar = calendarOf(snapshot, scope, filter, matching);
      return readTaskPage(snapshot, { matching, slice, calendar, sizes });
    },
  };
}

function keyOf({ unitId }: ListScope, filter: TaskFilter): string {
  return JSON.stringify([unitId, formatFilter(filter)]);
}
