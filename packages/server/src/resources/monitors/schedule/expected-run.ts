import { firstMoment, type TimeZone, wallClock } from "../../tasks/counts/time-zone";
import type { CronSchedule, Schedule } from "./schedule";

const dayLength = 86_400_000;

/** A run that is expected. */
export interface ExpectedRun {
  /** When it is expected. */
  at: number;
  /** From when on its grace counts: later than `at` where a change of the clock leaves open when it comes. */
  graceFrom: number;
  /** Time since the run before it. */
  interval: number;
}

/** The first run that is expected after a moment; after a run or a miss, for a period. Nothing if there is none. */
export function nextExpected(schedule: Schedule, after: number): ExpectedRun | undefined {
  if (schedule.kind === "period") {
    const at = after + schedule.period;
    return { at, graceFrom: at, interval: schedule.period };
  }
  const { calendar, zone, isRepeating } = schedule;
  for (let wall = calendar.after(wallClock(zone, after)); wall !== undefined; wall = calendar.after(wall)) {
    const run = placeRun(zone, wall, isRepeating);
    if (!run || run.at <= after) continue;
    const graceFrom = run.isSkipped ? latestGrace(schedule, wall, run) : run.graceFrom;
    return { at: run.at, graceFrom, interval: run.at - (previousExpected(schedule, wall, run.at) ?? 0) };
  }
  return undefined;
}

/** Time by which a run may begin early and count as the expected one: clocks differ. In milliseconds, as is the grace. */
export function earlyBy({ interval }: Pick<ExpectedRun, "interval">, grace: number): number {
  return Math.min(grace, interval / 2);
}

/** The run that is expected next when one has begun, which counts for all whose time had come. */
export function expectedAfterRun(schedule: Schedule, begun: number, grace: number): ExpectedRun | undefined {
  let run = nextExpected(schedule, begun);
  if (schedule.kind === "period") return run;
  while (run && run.at - earlyBy(run, grace) <= begun) run = nextExpected(schedule, run.at);
  return run;
}

interface PlacedRun {
  at: number;
  graceFrom: number;
  /** True if clocks skip its time. */
  isSkipped: boolean;
}

/** When something that is to run at a time of the clock is expected; nothing if it is not. */
function placeRun(zone: TimeZone, wall: number, isRepeating: boolean): PlacedRun | undefined {
  const at = firstMoment(zone, wall);
  if (wallClock(zone, at) !== wall) {
    // Cron makes up for a time that was skipped, but not for repeated ones. Others shift it by as much as was skipped.
    return isRepeating ? undefined : { at, graceFrom: wall - zone.offsetAt(at - 1), isSkipped: true };
  }
  return { at, graceFrom: isRepeating ? at : lastMoment(zone, wall, at), isSkipped: false };
}

/** When clocks show a time for the last time, where they are set back over it. */
function lastMoment(zone: TimeZone, wall: number, first: number): number {
  const last = wall - zone.offsetAt(wall + dayLength);
  return last > first && wallClock(zone, last) === wall ? last : first;
}

/** The latest grace among the runs that a skipped hour moves to one moment. */
function latestGrace(schedule: CronSchedule, wall: number, run: PlacedRun): number {
  const { calendar, zone, isRepeating } = schedule;
  let { graceFrom } = run;
  for (let next = calendar.after(wall); next !== undefined; next = calendar.after(next)) {
    const other = placeRun(zone, next, isRepeating);
    if (other?.at !== run.at) break;
    graceFrom = Math.max(graceFrom, other.graceFrom);
  }
  return graceFrom;
}

/** When the run before one was expected. */
function previousExpected(schedule: CronSchedule, wall: number, at: number): number | undefined {
  const { calendar, zone, isRepeating } = schedule;
  for (let before = calendar.before(wall); before !== undefined; before = calendar.before(before)) {
    const run = placeRun(zone, before, isRepeating);
    if (run && run.at < at) return run.at;
  }
  return undefined;
}
