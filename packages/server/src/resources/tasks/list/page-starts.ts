import type { Place } from "../../../lists/keyset";
import type { TimeRange } from "./slices";
import type { Calendar } from "./stretches";
import { sumsBefore } from "./stretches";

/** Where a page begins: in a stretch of time, after so many of its matching tasks, or of those beyond a place in it. */
export interface PageStart extends TimeRange {
  skip: number;
  after?: Place | undefined;
}

/**
 * Finds where pages begin. Passing over the tasks of an hour can take as long as reading a page, so it is remembered where earlier
 * pages have ended: the next one begins there. That holds for as long as the calendar does.
 */
export interface PageStarts {
  find(calendar: Calendar, skip: number): PageStart;
  /** The same by the calendar alone. */
  findStretch(calendar: Calendar, skip: number): PageStart;
  /** Remembers the place of the last of so many tasks, from the front of the list. */
  note(calendar: Calendar, count: number, place: Place): void;
}

interface End {
  count: number;
  place: Place;
}

/** One end is remembered for each so many tasks: as many as a page usually has. */
const spacing = 100;
const endsKept = 10_000;
/** More than there are ends in the longest list. */
const endsOfCalendar = 2 ** 32;

export function createPageStarts(): PageStarts {
  const numbers = new WeakMap<Calendar, number>();
  const ends = new Map<number, End>();
  let numbered = 0;

  /** Tells a calendar from all others. */
  function numberOf(calendar: Calendar): number {
    const known = numbers.get(calendar);
    if (known !== undefined) return known;
    numbers.set(calendar, ++numbered);
    return numbered;
  }

  function findStretch(calendar: Calendar, skip: number): PageStart {
    const before = sumsBefore(calendar);
    const index = lastAtMost(before, skip);
    const [stretch, passed] = [calendar[index], before[index]];
    if (!stretch || passed === undefined || skip >= passed + stretch.count) return { from: 0, until: 0, skip: 0 };
    return { from: stretch.from, until: stretch.until, skip: skip - passed };
  }

  /** The last known end among so many tasks that leaves no fewer than the least. */
  function lastEnd(calendar: Calendar, most: number, least: number): End | undefined {
    const [first, number] = [Math.floor(least / spacing), numberOf(calendar)];
    for (let at = Math.floor(most / spacing); at >= first; at--) {
      const end = ends.get(number * endsOfCalendar + at);
      if (end && end.count <= most && end.count > least) return end;
    }
    return undefined;
  }

  return {
    findStretch,
    find(calendar, skip) {
      const start = findStretch(calendar, skip);
      const end = start.skip > 0 ? lastEnd(calendar, skip, skip - start.skip) : undefined;
      return end ? { ...start, skip: skip - end.count, after: end.place } : start;
    },
    note(calendar, count, place) {
      const key = numberOf(calendar) * endsOfCalendar + Math.floor(count / spacing);
      ends.delete(key);
      ends.set(key, { count, place });
      const [oldest] = ends.keys();
      if (oldest !== undefined && ends.size > endsKept) ends.delete(oldest);
    },
  };
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
