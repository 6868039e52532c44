import type { TimeRange } from "./slices";

/** How many matching tasks were created in a stretch of time. */
export interface Stretch extends TimeRange {
  count: number;
}

/** The stretches of time in which there are matching tasks, newest first: hours, days, or slices of about as many tasks. */
export type Calendar = readonly Stretch[];

const known = new WeakMap<Calendar, readonly number[]>();

/** How many tasks come before each stretch of a calendar, and at the end, how many there are in all. */
export function sumsBefore(calendar: Calendar): readonly number[] {
  const before = known.get(calendar);
  if (before) return before;
  const sums = [0];
  let sum = 0;
  for (const { count } of calendar) {
    sum += count;
    sums.push(sum);
  }
  known.set(calendar, sums);
  return sums;
}

/** Where a page begins: in a stretch of time, after so many of its matching tasks. */
export interface PageStart extends TimeRange {
  skip: number;
}

/** Finds the stretch in which a page begins that passes over so many tasks. */
export function findStart(calendar: Calendar, skip: number): PageStart {
  const before = sumsBefore(calendar);
  const index = lastAtMost(before, skip);
  const [stretch, passed] = [calendar[index], before[index]];
  if (!stretch || passed === undefined || skip >= passed + stretch.count) return { from: 0, until: 0, skip: 0 };
  return { from: stretch.from, until: stretch.until, skip: skip - passed };
}

/** The index of the last number that is not above the limit; they are sorted. */
function lastAtMost(numbers: readonly number[], limit: number): number {
  let [low, high] = [0, numbers.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How many tasks there are in some stretches. */
export function totalOf(stretches: readonly Stretch[]): number {
  return stretches.reduce((sum, { count }) => sum + count, 0);
}

/** The stretches of a calendar that a range has a part in. */
export interface SplitCalendar {
  /** The newest, where only a part of it is in the range. */
  newest: Stretch | undefined;
  /** Where those begin and end in the calendar that are in it as a whole. */
  whole: { first: number; end: number };
  /** The oldest, where only a part of it is in the range, and it is not the newest. */
  oldest: Stretch | undefined;
}

/** Splits a calendar by a range. */
export function splitByRange(calendar: Calendar, { from, until }: TimeRange): SplitCalendar {
  // Newest first: those before are too late, those from the end on too early.
  let first = firstWhere(calendar, (stretch) => stretch.from < until);
  let end = Math.max(
    first,
    firstWhere(calendar, (stretch) => stretch.until <= from),
  );
  const isCut = (stretch: Stretch | undefined) => stretch && (stretch.from < from || stretch.until > until);
  const newest = first < end && isCut(calendar[first]) ? calendar[first++] : undefined;
  const oldest = first < end && isCut(calendar[end - 1]) ? calendar[--end] : undefined;
  return { newest, whole: { first, end }, oldest };
}

/** The index of the first stretch of which something holds, which then holds of all after it; their number where there is none. */
function firstWhere(calendar: Calendar, holds: (stretch: Stretch) => boolean): number {
  let [low, high] = [0, calendar.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const stretch = calendar[middle];
    if (stretch && holds(stretch)) high = middle;
    else low = middle + 1;
  }
  return low;
}
