import { findTimeZone } from "../tasks/counts/time-zone";

/**
 * Writes a moment in a time zone with UTC next to it: `2026-11-15 13:00:00 Europe/Berlin (12:00:00 UTC)`. The day in UTC is said
 * if it is another one. A zone that this machine does not know is left out.
 */
export function formatMoment(timestamp: string, timeZone: string): string {
  const time = Date.parse(timestamp);
  const inUtc = writeTime(time);
  const zone = timeZone === "UTC" ? undefined : findTimeZone(timeZone);
  if (!zone) return `${inUtc} UTC`;
  const there = writeTime(time + zone.offsetAt(time));
  const isSameDay = there.slice(0, 10) === inUtc.slice(0, 10);
  return `${there} ${timeZone} (${isSameDay ? inUtc.slice(11) : inUtc} UTC)`;
}

function writeTime(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace("T", " ");
}
