import { hourLength } from "../record";
import type { Recipe } from "./calendar";
import type { TimeRange } from "./slices";
import type { Calendar, Stretch } from "./stretches";

/** Counts again where tasks were changed that were created in some hours. All other stretches stay as they are. */
export async function renewCalendar(
  { read, grain }: Pick<Recipe, "read" | "grain">,
  known: Calendar,
  hours: readonly number[],
): Promise<Calendar> {
  const changed = joinRanges(
    hours.map((hour) => ({
      from: Math.floor((hour * hourLength) / grain) * grain,
      until: Math.ceil(((hour + 1) * hourLength) / grain) * grain,
    })),
  );
  const isStale = overlapsAny(changed);
  const stale = joinRanges([...changed, ...known.filter(isStale)]);
  const fresh: Stretch[] = [];
  for (const range of stale) fresh.push(...(await read(range)));
  return [...known.filter((stretch) => !isStale(stretch)), ...fresh].sort((one, other) => other.from - one.from);
}

/** The same times, newest first, with one range for those that touch each other. */
function joinRanges(ranges: readonly TimeRange[]): TimeRange[] {
  const joined: TimeRange[] = [];
  for (const { from, until } of ranges.toSorted((one, other) => other.until - one.until)) {
    const last = joined.at(-1);
    if (last && until >= last.from) last.from = Math.min(last.from, from);
    else joined.push({ from, until });
  }
  return joined;
}

/** Whether a range overlaps any of these, which are apart from each other and newest first. */
function overlapsAny(ranges: readonly TimeRange[]): (range: TimeRange) => boolean {
  return ({ from, until }) => {
    let [first, end] = [0, ranges.length];
    // The first of them that begins before the end: those before it are too late, those after it are earlier still.
    while (first < end) {
      const middle = (first + end) >> 1;
      if ((ranges[middle]?.from ?? 0) >= until) first = middle + 1;
      else end = middle;
    }
    return (ranges[first]?.until ?? Number.NEGATIVE_INFINITY) > from;
  };
}
