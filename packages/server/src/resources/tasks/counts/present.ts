import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { allTime } from "../list/time-range";
import type { CountRow } from "./count-intervals";

/** Writes a count as JSON. */
export function writeTaskCount({ from, until, groups, count }: CountRow): string {
  return JSON.stringify({
    start_timestamp: formatTimestamp(from),
    // The last interval of the year 9999 ends when no timestamp can be written any more.
    end_timestamp: formatTimestamp(Math.min(until, allTime.until - 1)),
    ...groups,
    count,
  });
}
