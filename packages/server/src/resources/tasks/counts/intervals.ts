import type { CountInterval } from "@holdfast/api/resources/task-counts";
import type { TimeRange } from "../list/time-range";
import { hourLength } from "../record";
import { firstMoment, firstWhere, type TimeZone, wallClock } from "./time-zone";

/** An interval that time can be cut into. */
export type CutInterval = Exclude<CountInterval, "all">;

/** The hour, day, week or month of a zone in which a moment lies. Together they leave out no moment and share none. */
export function intervalAt(zone: TimeZone, interval: CutInterval, time: number): TimeRange {
  if (interval === "hour") return hourAt(zone, time);
  const wall = new Date(wallClock(zone, time));
  let count = 0;
  let range: TimeRange;
  // Clocks that are set back to the day before begin the next day twice; it begins with the first time.
  do range = { from: edge(zone, interval, wall, count), until: edge(zone, interval, wall, ++count) };
  while (range.until <= time);
  return range;
}

/** When the day so many days before that of a moment begins in a zone. */
export function daysBefore(zone: TimeZone, time: number, days: number): number {
  return edge(zone, "day", new Date(wallClock(zone, intervalAt(zone, "day", time).from)), -days);
}

/** When the interval begins that is so many after the one which a date lies in. */
function edge(zone: TimeZone, interval: Exclude<CutInterval, "hour">, wall: Date, count: number): number {
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()];
  switch (interval) {
    case "day":
      return firstMoment(zone, Date.UTC(year, month, day + count));
    case "week":
      // A week begins on Monday.
      return firstMoment(zone, Date.UTC(year, month, day - ((wall.getUTCDay() + 6) % 7) + 7 * count));
    case "month":
      return firstMoment(zone, Date.UTC(year, month + count, 1));
  }
}

function hourAt(zone: TimeZone, time: number): TimeRange {
  const offset = zone.offsetAt(time);
  // True if full hours are full hours then, too; they are not where clocks were set by half an hour in between.
  const isAlike = (other: number) => (zone.offsetAt(other) - offset) % hourLength === 0;
  const from = time - ((((time + offset) % hourLength) + hourLength) % hourLength);
  const until = from + hourLength;
  return {
    from: isAlike(from) ? from : firstWhere(from, time, isAlike),
    until: isAlike(until - 1) ? until : firstWhere(time, until - 1, (other) => !isAlike(other)),
  };
}
