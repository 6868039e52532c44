import type { Snapshot } from "../../../lists/list-source";
import { countInSlices, countTasks } from "./count-stretches";
import type { QueryPlan } from "./query-plan";
import { commonTime, type TimeRange } from "./slices";
import type { Calendar, Stretch } from "./stretches";
import { splitByRange, sumsBefore, totalOf } from "./stretches";

/** What a survey needs to know of a calendar. */
export interface CalendarSummary {
  total: number;
  /** Where its oldest stretch begins; 0 where there is none. */
  furthest: number;
}

/** Cuts the part of a time out of what was counted. Tasks of stretches that it cuts through are counted one by one. */
export async function cutOut(
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
export async function summarizeCut(
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

/** Counts what a range leaves of a stretch that it cuts through. */
async function countPart(
  snapshot: Snapshot,
  plan: QueryPlan,
  stretch: Stretch | undefined,
  range: TimeRange,
): Promise<Stretch[]> {
  if (!stretch) return [];
  const part = commonTime(stretch, range);
  // Such an index leaves no other tasks to pass over, and it is known how many these are at most.
  const isShort = plan.kind === "exact" && stretch.count <= plan.sizes.slice;
  return isShort ? countTasks(snapshot, plan, [part]) : countInSlices(snapshot, plan, part);
}
