import { roughDuration } from "./durations";

const day = 86_400_000;

/** The zone of the viewer. */
export const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatIn(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = zone + JSON.stringify(options);
  const format = formats.get(name) ?? new Intl.DateTimeFormat("en-GB", { ...options, timeZone: zone });
  formats.set(name, format);
  return format;
}

const dateAndTime = { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;

/** A time in lists: relative under a day, else a date. */
export function shortTime(at: number, now: number, zone: string): string {
  const ago = now - at;
  if (ago >= 0 && ago < day) return ago < 5_000 ? "now" : `${roughDuration(ago)} ago`;
  if (ago < 0 && -ago < day) return `in ${roughDuration(-ago)}`;
  return dateText(at, zone, now);
}

/** A moment as a date: with its time, or with its year where it is long ago or further ahead than a month. */
export function dateText(at: number, zone: string, now = Date.now()): string {
  const withYear = now - at > 300 * day || at - now > 35 * day;
  return formatIn(zone, withYear ? { day: "numeric", month: "short", year: "numeric" } : dateAndTime).format(at);
}

/** A time in full: `14 Nov 2026, 23:51:26`. */
export function fullTime(at: number, zone: string): string {
  return formatIn(zone, { ...dateAndTime, year: "numeric", second: "2-digit" }).format(at);
}

/** A day: `14 Nov 2026`. */
export function dayText(at: number, zone: string): string {
  return formatIn(zone, { day: "numeric", month: "short", year: "numeric" }).format(at);
}

/** A day that is near, and a time behind it: `Tue 17 Nov`, `Tue 17 Nov, 02:30`. */
export function weekdayText(at: number, zone: string, time?: string): string {
  const day = formatIn(zone, { weekday: "short", day: "numeric", month: "short" }).format(at).replace(",", "");
  return time === undefined ? day : `${day}, ${time}`;
}

/** The time of a day: `14:03:10`. */
export function clockText(at: number, zone: string): string {
  return formatIn(zone, { hour: "2-digit", minute: "2-digit", second: "2-digit" }).format(at);
}

export function hourText(at: number, zone: string): string {
  return formatIn(zone, { hour: "2-digit", minute: "2-digit" }).format(at);
}

/** Formats a moment in UTC, for hints: `2026-11-14 22:51:26 UTC`. */
export function utcText(at: number): string {
  return `${new Date(at).toISOString().replace("T", " ").slice(0, 19)} UTC`;
}

/** A sentence of the service with its moments in the zone of the viewer: `2026-11-14 02:00 UTC` as `14 Nov 2026, 03:00`. */
export function inZone(sentence: string, zone: string): string {
  return sentence.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?) UTC/g, (found, day: string, time: string) => {
    const at = Date.parse(`${day}T${time}Z`);
    if (Number.isNaN(at)) return found;
    return time.length > 5 ? fullTime(at, zone) : `${dayText(at, zone)}, ${hourText(at, zone)}`;
  });
}
