import { formatFilter } from "@holdfast/api/conventions/filter";
import { type TaskCountFilterField, taskCountParameters } from "@holdfast/api/resources/task-counts";
import { type CountUse, createCommitCache } from "../../../database/commit-cache";
import { allOf } from "../../../lists/comparisons";
import type { ListScope, ListSource, Slice, Snapshot } from "../../../lists/list-source";
import type { OwnParameters } from "../../../operations/parameterized-list";
import { taskCondition, unitConditionsOfCounts } from "../list/conditions";
import type { createTaskSource } from "../list/list-tasks";
import { defaultSizes, matchTasks, type StatementSizes } from "../list/matching";
import { allTime, type TimeRange } from "../list/time-range";
import { dayLength, quarterLength } from "../record";
import { type Counting, type CountRow, compareRows, countIntervals, type GroupedCount } from "./count-intervals";
import {
  type CountFilter,
  type CountRequest,
  countedTime,
  type FilteredTime,
  filteredTime,
  parseCountRequest,
  refuseLongTime,
} from "./count-request";
import { createDayCache } from "./day-cache";
import { intervalAt } from "./intervals";

type CountSource = ListSource<CountRow, TaskCountFilterField>;

/** Some intervals one after the other, newest first, and how many rows they have. */
interface Part {
  intervals: readonly TimeRange[];
  count: number;
  /** Left out where there are too many to keep: they are counted again. */
  rows: readonly CountRow[] | undefined;
}

interface Counted {
  counting: Counting;
  parts: readonly Part[];
}

/** Sizes of statements, and the maximum number of rows of an answer that are kept. */
export interface CountSizes extends StatementSizes {
  intervals: number;
  keptRows: number;
}

const defaultCountSizes: CountSizes = { ...defaultSizes, intervals: 32, keptRows: 10_000 };
/** About as many bytes of answers are remembered: more than one answer has at most. */
const maxCacheBytes = 4_000_000;
/** An answer holds the plan and the conditions that it was counted with. */
const bytesOfAnswer = 4_000;
/** About as many bytes of counts of days are kept. */
const dayBytes = 8_000_000;
const bytesOfGroup = 60;
const bytesOfRow = 300;
const bytesOfInterval = 50;

/** The parameters of the counts, and the list that they ask for. */
export function taskCountList(
  tasks: ReturnType<typeof createTaskSource>,
  countUse: CountUse,
  sizes: CountSizes = defaultCountSizes,
): OwnParameters<CountRow, TaskCountFilterField> {
  const countCache = createCommitCache<Counted | undefined>(maxCacheBytes, countUse, weigh);
  const cache = createDayCache<readonly GroupedCount[]>(dayBytes, {
    empty: [],
    bytesOf: ({ length }) => length * bytesOfGroup,
    countUse,
  });

  async function countAll(
    snapshot: Snapshot,
    scope: ListScope,
    asked: CountRequest,
    filter: CountFilter,
  ): Promise<Counted | undefined> {
    const ends = await findEnds(tasks, snapshot, scope, asked);
    if (!ends) return undefined;
    const time = filteredTime(filter);
    refuseLongTime(asked, time, ends.newest);
    const within = countedTime(asked, time, ends.newest);
    const counting = { ...(await prepareCounting(snapshot, scope, asked, filter, within, sizes)), cache };
    const parts: Part[] = [];
    let left = sizes.keptRows;
    const days = [...(await cache.versions(snapshot)).keys()].sort((one, other) => other - one);
    for await (const intervals of intervalsOf(snapshot, days, asked, time, within, ends, sizes.intervals)) {
      const rows = await countIntervals(snapshot, counting, intervals);
      left -= rows.length;
      parts.push({ intervals, count: rows.length, rows: left >= 0 ? rows : undefined });
    }
    return { counting, parts };
  }

  function sourceOf(asked: CountRequest, key: string): CountSource {
    const countedOf = (snapshot: Snapshot, scope: ListScope, filter: CountFilter) =>
      countCache.getOrLoadAlone(snapshot.dataVersions.tasks, `${scope.unitId} ${key} ${formatFilter(filter)}`, () =>
        countAll(snapshot, scope, asked, filter),
      );
    return {
      async listSnapshot(snapshot, scope, filter) {
        const { parts = [] } = (await countedOf(snapshot, scope, filter)) ?? {};
        return { total: parts.reduce((sum, { count }) => sum + count, 0), watermark: 0, furthest: null };
      },
      async read(snapshot, scope, filter, slice) {
        const counted = await countedOf(snapshot, scope, filter);
        return counted ? readRows(snapshot, counted, slice) : [];
      },
    };
  }

  return {
    names: Object.keys(taskCountParameters),
    read(parameters, faults) {
      const asked = parseCountRequest(parameters, faults);
      const key = `${asked.interval} ${parameters.get("time_zone") ?? ""} ${asked.groupBy.join()}`;
      return (filter, now) => {
        refuseLongTime(asked, filteredTime(filter), now);
        return sourceOf(asked, key);
      };
    },
  };
}

function weigh(counted: Counted | undefined): number {
  return (counted?.parts ?? []).reduce(
    (sum, { rows = [], intervals }) => sum + rows.length * bytesOfRow + intervals.length * bytesOfInterval,
    bytesOfAnswer,
  );
}

/** When the oldest and the newest task of the unit was created; the oldest only where it is wanted. */
interface Ends {
  oldest: number;
  newest: number;
}

async function findEnds(
  tasks: ReturnType<typeof createTaskSource>,
  snapshot: Snapshot,
  scope: ListScope,
  { interval }: CountRequest,
): Promise<Ends | undefined> {
  const listSnapshot = await tasks.listSnapshot(snapshot, scope, []);
  const first = async (from: Slice["from"]) =>
    (await tasks.read(snapshot, scope, [], { listSnapshot, count: 1, from }))[0];
  const newest = listSnapshot.total > 0 ? await first({ skip: 0 }) : undefined;
  if (!newest) return undefined;
  // First row before the end of the list in its order, from there: the oldest comes first.
  const oldest = interval === "all" ? await first({ before: { key: allTime.from - 1, id: "" } }) : newest;
  return { oldest: Number(oldest?.place.key), newest: Number(newest.place.key) };
}

async function prepareCounting(
  snapshot: Snapshot,
  scope: ListScope,
  asked: CountRequest,
  filter: CountFilter,
  within: TimeRange,
  sizes: StatementSizes,
): Promise<Omit<Counting, "cache">> {
  const { interval, groupBy } = asked;
  const kinds = filter.filter(({ field }) => field !== "created_timestamp");
  const ofType = groupBy.includes("type") || kinds.some(({ field }) => field === "type");
  return {
    groupBy,
    lengths: lengthsOf(asked, ofType),
    isOfAllTime: interval === "all" && !groupBy.includes("error.code") && kinds.length === filter.length,
    within,
    condition: allOf([...unitConditionsOfCounts(snapshot.db, scope), ...kinds.map(taskCondition)]),
    matching: await matchTasks(snapshot.db, scope, kinds, sizes),
    tasksPerStep: sizes.tasksPerStep,
    query: JSON.stringify([scope.unitId, formatFilter(kinds), groupBy]),
  };
}

/** Which counts can be used. Those of quarters of an hour do not know the type, and none knows the code of an error. */
function lengthsOf({ interval, groupBy }: CountRequest, ofType: boolean): Counting["lengths"] {
  if (groupBy.includes("error.code")) return [];
  if (interval === "hour") return ofType ? [] : [quarterLength];
  return ofType ? [dayLength] : [dayLength, quarterLength];
}

/**
 * The intervals in which tasks can lie, newest first, some at a time. Times without any task are passed over, by the days that ever
 * had one, newest first.
 */
async function* intervalsOf(
  { work }: Snapshot,
  days: readonly number[],
  { interval, zone }: CountRequest,
  time: FilteredTime,
  within: TimeRange,
  { oldest, newest }: Ends,
  atOnce: number,
): AsyncGenerator<TimeRange[]> {
  if (interval === "all") {
    const from = time.hasStart || within.from > allTime.from ? within.from : intervalAt(zone, "day", oldest).from;
    const until = time.hasEnd ? within.until : intervalAt(zone, "day", newest).until;
    if (from < until) yield [{ from, until }];
    return;
  }
  let last = Math.min(within.until - 1, newest);
  while (last >= within.from) {
    await work.step();
    const lastDay = Math.floor(last / dayLength);
    const day = days.find((one) => one <= lastDay);
    if (day === undefined) return;
    last = Math.min(last, (day + 1) * dayLength - 1);
    const intervals: TimeRange[] = [];
    while (last >= within.from && intervals.length < atOnce) {
      const range = intervalAt(zone, interval, last);
      intervals.push(range);
      last = range.from - 1;
    }
    if (intervals.length > 0) yield intervals;
  }
}

async function readRows(snapshot: Snapshot, { counting, parts }: Counted, { from, count }: Slice): Promise<CountRow[]> {
  const isUp = "before" in from;
  const place = "after" in from ? from.after : "before" in from ? from.before : undefined;
  const isBeyond = (row: CountRow) =>
    !place || (isUp ? compareRows(row, { place }) < 0 : compareRows(row, { place }) > 0);
  const found: CountRow[] = [];
  let skip = "skip" in from ? from.skip : 0;
  for (const { intervals, count: size, rows } of isUp ? parts.toReversed() : parts) {
    if (found.length >= count) break;
    if (skip >= size) {
      skip -= size;
      continue;
    }
    const all = (rows ?? (await countIntervals(snapshot, counting, intervals))).filter(isBeyond);
    found.push(...(isUp ? all.toReversed() : all).slice(skip, skip + count - found.length));
    skip = 0;
  }
  return found;
}
