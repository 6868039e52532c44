import { LRUCache } from "lru-cache";
import { dayLength } from "../record";

/** A zone of the IANA database. */
export interface TimeZone {
  /** Offset of its clocks from UTC at a moment, in milliseconds. */
  offsetAt(time: number): number;
}

/** No name of a zone is longer. */
const maxNameLength = 64;
const maxOffsets = 10_000;
const shown = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/;
/** Making a formatter takes far longer than using it. Each zone takes up to half a megabyte with its offsets. */
const known = new LRUCache<string, TimeZone>({ max: 20 });

/** Finds a zone by its name, in any letter case. */
export function findTimeZone(name: string): TimeZone | undefined {
  // An offset such as +02:00 is no name of a zone, although the runtime takes it for one.
  if (name.length > maxNameLength || !/^[A-Za-z][\w+/-]*$/.test(name)) return undefined;
  const key = name.toLowerCase();
  const zone = known.get(key) ?? createZone(name);
  if (zone) known.set(key, zone);
  return zone;
}

function createZone(timeZone: string): TimeZone | undefined {
  const format = formatterOf(timeZone);
  if (!format) return undefined;
  if (format.resolvedOptions().timeZone === "UTC") return { offsetAt: () => 0 };
  const offsets = new Map<number, number>();
  return {
    offsetAt(time) {
      const cached = offsets.get(time);
      if (cached !== undefined) return cached;
      const second = Math.floor(time / 1000) * 1000;
      const [month = 0, day = 0, year = 0, ...clock] = (shown.exec(format.format(second)) ?? []).slice(1).map(Number);
      const offset = Date.UTC(year, month - 1, day, clock[0], clock[1], clock[2]) - second;
      if (offsets.size >= maxOffsets) offsets.clear();
      offsets.set(time, offset);
      return offset;
    },
  };
}

function formatterOf(timeZone: string): Intl.DateTimeFormat | undefined {
  const numeric = "numeric";
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      ...{ year: numeric, month: numeric, day: numeric, hour: numeric, minute: numeric, second: numeric },
    });
  } catch {
    return undefined;
  }
}

/** Time on the clocks of a zone, written as if it were UTC. */
export function wallClock(zone: TimeZone, time: number): number {
  return time + zone.offsetAt(time);
}

/** When the clocks of a zone first show a time or a later one, where they skip it. */
export function firstMoment(zone: TimeZone, wall: number): number {
  const before = zone.offsetAt(wall - dayLength);
  const after = zone.offsetAt(wall + dayLength);
  const early = wall - Math.max(before, after);
  const late = wall - Math.min(before, after);
  if (early === late || wallClock(zone, early) === wall) return early;
  if (wallClock(zone, late) === wall) return late;
  return firstWhere(early, late, (time) => wallClock(zone, time) >= wall);
}

/** The first moment after one at which something holds that holds at a later one. */
export function firstWhere(before: number, at: number, holds: (time: number) => boolean): number {
  let [low, high] = [before, at];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (holds(middle)) high = middle;
    else low = middle;
  }
  return high;
}
