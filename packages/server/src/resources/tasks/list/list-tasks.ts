import { type Filter, formatFilter } from "@holdfast/api/conventions/filter";
import type { TaskFilterField } from "@holdfast/api/resources/tasks";
import { type CountUse, createCommitCache } from "../../../database/commit-cache";
import type { ListScope, ListSnapshot, ListSource, Snapshot } from "../../../lists/list-source";
import { createDayCache } from "../counts/day-cache";
import { withoutCreated } from "./conditions";
import { readHighWaterMark } from "./high-water-mark";
import { defaultSizes, type Matching, matchTasks } from "./matching";
import { readTaskPage, type TaskRow } from "./read-task-page";
import { readTimeHistogram, type TimeBucket } from "./time-histogram";

type TaskFilter = Filter<TaskFilterField>;

/** The number of periods that are kept for all filters together. */
const maxBuckets = 20_000;
/** The bytes of counts that are kept by filter and day. */
const maxDayBytes = 4_000_000;
/** The number of filters whose matching and survey are kept. */
const maxFilters = 500;

/** Lists tasks, newest first. */
export function createTaskSource(countUse: CountUse, sizes = defaultSizes): ListSource<TaskRow, TaskFilterField> {
  const matchings = createCommitCache<Matching>(maxFilters, () => {});
  const listSnapshots = createCommitCache<ListSnapshot>(maxFilters, () => {});
  const buckets = createCommitCache<readonly TimeBucket[]>(maxBuckets, countUse, ({ length }) => 10 + length);
  const days = createDayCache<number>(maxDayBytes, { empty: 0, bytesOf: () => 0, countUse });

  function matchingOf({ db, dataVersions }: Snapshot, scope: ListScope, filter: TaskFilter): Promise<Matching> {
    return matchings.getOrLoadAlone(dataVersions.tasks, keyOf(scope, filter), () =>
      matchTasks(db, scope, filter, sizes),
    );
  }

  /** Reads the calendar of the matching tasks. What is counted by day or week is kept for all times of creation. */
  function timeHistogramOf(snapshot: Snapshot, scope: ListScope, filter: TaskFilter, matching: Matching) {
    const query = keyOf(scope, matching.countedIn === "tasks" ? filter : withoutCreated(filter));
    const cache = {
      buckets: (read: () => Promise<readonly TimeBucket[]>) =>
        buckets.getOrLoadAlone(snapshot.dataVersions.tasks, query, read),
      days,
      query,
    };
    return (order: "asc" | "desc") => readTimeHistogram(snapshot, matching, { order, cache, sizes });
  }

  async function listSnapshot(snapshot: Snapshot, scope: ListScope, filter: TaskFilter): Promise<ListSnapshot> {
    const [arrived, matching] = await Promise.all([
      readHighWaterMark(snapshot.db, scope),
      matchingOf(snapshot, scope, filter),
      // Likely to be asked for next.
      days.versions(snapshot),
    ]);
    const found = { total: 0, ...arrived, furthest: 0 };
    for await (const { from, count } of timeHistogramOf(snapshot, scope, filter, matching)("desc")) {
      found.total += count;
      found.furthest = from;
    }
    return found;
  }

  return {
    listSnapshot(snapshot, scope, filter) {
      return listSnapshots.getOrLoadAlone(snapshot.dataVersions.tasks, keyOf(scope, filter), () =>
        listSnapshot(snapshot, scope, filter),
      );
    },
    async read(snapshot, scope, filter, slice) {
      const matching = await matchingOf(snapshot, scope, filter);
      const timeHistogram = timeHistogramOf(snapshot, scope, filter, matching);
      return readTaskPage(snapshot, { matching, slice, timeHistogram, sizes });
    },
  };
}

function keyOf({ unitId }: ListScope, filter: TaskFilter): string {
  return JSON.stringify([unitId, formatFilter(filter)]);
}
