import { expect, test } from "bun:test";
import { size } from "../../../../test/runs";
import { nextExpected } from "./expected-run";
import { parseSchedule } from "./schedule";

const minute = 60_000;
const day = 1440 * minute;
const start = Date.parse("2026-12-01T00:00Z");
const end = Date.parse("2028-12-01T00:00Z");

const zones = [
  "Europe/Berlin",
  "America/New_York",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
];
const crons = [
  "30 2 * * *",
  "0 * * * *",
  "*/15 1-3 * * *",
  "5,50 0,2,23 * * *",
  "45 1 * * 0",
  "0 0 31 * *",
  "0 0 * * *",
  "10 */2 * * *",
  "15 2 13 * 7",
  "40 2 29 2 *",
];

/** Wall-clock times, minute by minute. */
function readClock(zone: string, from: number, until: number): Float64Array {
  return Float64Array.from({ length: (until - from) / minute }, (_, count) => {
    const shown = new Temporal.ZonedDateTime(BigInt(from + count * minute) * 1_000_000n, zone);
    return Date.UTC(shown.year, shown.month - 1, shown.day, shown.hour, shown.minute);
  });
}

/** A second implementation: a cron that looks at the clock every minute, as Debian's does. */
function* tick(cron: string, clock: Float64Array, from: number): Generator<{ at: number; graceFrom: number }> {
  const isDue = dueAt(cron);
  const isRepeating = /^\*|^\S+ \*/.test(cron);
  let latest = (clock[0] ?? 0) - minute;
  /** Runs of the last day, by what the clock shows: it may show that again. */
  const recent = new Map<number, { at: number; graceFrom: number }>();
  for (const [count, wall] of clock.entries()) {
    const now = from + count * minute;
    const again = recent.get(wall);
    if (again && !isRepeating) again.graceFrom = now;
    const made = { at: now, graceFrom: now };
    let hasRun = wall > latest && isDue(wall);
    for (let skipped = latest + minute; skipped < wall && !isRepeating; skipped += minute) {
      if (!isDue(skipped)) continue;
      hasRun = true;
      made.graceFrom = now + (skipped - latest - minute);
    }
    if (hasRun) recent.set(wall, made);
    latest = Math.max(latest, wall);
    for (const [shown, run] of recent) {
      if (run.at > now - 3 * 60 * minute) break;
      recent.delete(shown);
      yield run;
    }
  }
  yield* recent.values();
}

/** Returns a predicate: true if a wall-clock time makes an expression due: only what the expressions above use. */
function dueAt(cron: string): (wall: number) => boolean {
  const [minutes = "", hours = "", days = "", months = "", weekdays = ""] = cron.split(" ");
  const valuesOf = (field: string) =>
    new Set(Array.from({ length: 60 }, (_, value) => value).filter((value) => fits(field, value)));
  const [inMinutes, inHours, inDays, inMonths, inWeekdays] = [minutes, hours, days, months, weekdays].map(valuesOf);
  return (wall) => {
    const date = new Date(wall);
    if (!inMinutes?.has(date.getUTCMinutes()) || !inHours?.has(date.getUTCHours())) return false;
    const isDate = inDays?.has(date.getUTCDate());
    const isWeekday = inWeekdays?.has(date.getUTCDay()) || (date.getUTCDay() === 0 && inWeekdays?.has(7));
    const isDay = days === "*" || weekdays === "*" ? isDate && isWeekday : isDate || isWeekday;
    return isDay === true && inMonths?.has(date.getUTCMonth() + 1) === true;
  };
}

function fits(field: string, value: number): boolean {
  return field.split(",").some((part) => {
    const [, first, last, step] = /^(?:\*|(\d+)(?:-(\d+))?)(?:\/(\d+))?$/.exec(part) ?? [];
    const isWithin = first === undefined || (value >= Number(first) && value <= Number(last ?? first));
    return isWithin && value % Number(step ?? 1) === 0;
  });
}

/** The days around each change of the clock, and a leap day; in a long run all of the time. */
function stretchesOf(zone: string): [number, number][] {
  const whole: [number, number][] = [[start, end]];
  const around = (time: number): [number, number] => [time - 1.5 * day, time + 1.5 * day];
  const changes: [number, number][] = [around(Date.parse("2028-02-29T00:00Z"))];
  let next = new Temporal.ZonedDateTime(BigInt(start) * 1_000_000n, zone).getTimeZoneTransition("next");
  while (next && next.epochMilliseconds < end) {
    changes.push(around(next.epochMilliseconds));
    next = next.getTimeZoneTransition("next");
  }
  return size({ default: 0, long: 1 }) === 1 ? whole : changes;
}

function expectedWithin(cron: string, time_zone: string, from: number, until: number) {
  const schedule = parseSchedule({ cron, time_zone });
  if ("reason" in schedule) throw new Error(schedule.reason);
  const found: { at: number; graceFrom: number }[] = [];
  let run = nextExpected(schedule, from - 1);
  while (run && run.at < until) {
    found.push({ at: run.at, graceFrom: run.graceFrom });
    run = nextExpected(schedule, run.at);
  }
  return found;
}

test.each(zones)("two years in %s are as a clock that ticks has them", (zone) => {
  const written = (runs: Iterable<{ at: number; graceFrom: number }>) =>
    new Set([...runs].map(({ at, graceFrom }) => `${new Date(at).toISOString()} ${new Date(graceFrom).toISOString()}`));
  const differences = stretchesOf(zone).flatMap(([from, until]) => {
    const clock = readClock(zone, from, until);
    return crons.flatMap((cron) => {
      const ours = written(expectedWithin(cron, zone, from, until));
      return [...ours.symmetricDifference(written(tick(cron, clock, from)))].map((one) => `${cron}: ${one}`);
    });
  });
  expect(differences).toEqual([]);
});
