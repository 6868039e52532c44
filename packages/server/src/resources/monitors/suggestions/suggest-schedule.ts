import { suggestionRuns } from "@holdfast/api/resources/monitor-suggestions";
import { monitorNumbers } from "@holdfast/api/resources/monitors";
import type { SuggestionConfidence } from "@holdfast/api/resources/suggestion-words";
import { findTimeZone, type TimeZone, wallClock } from "../../tasks/counts/time-zone";
import { parseSchedule, type ScheduleText } from "../schedule/schedule";
import { cycleExpression, cycleWords, lengthWords, weekdayExpression, weekdayWords } from "./cycle-expression";
import { findCluster } from "./phase-cluster";
import { wouldHaveMissed } from "./replay-runs";

// Derives the schedule of a recurring piece of work from the times of its runs. Pure. Times are milliseconds.

export interface ScheduleSuggestion {
  schedule: ScheduleText;
  graceSeconds: number;
  confidence: SuggestionConfidence;
  /** Number of runs examined. */
  runs: number;
  /** By how much a run was off the schedule at most. */
  maxDeviationSeconds: number;
  /** A sentence that says what was seen. */
  reason: string;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Work that has not run for so many times its largest gap has stopped: a monitor would only be missed. */
const stoppedAfterGaps = 3;
/** The share of runs that have to begin at the same time of a cycle. The others are retries or were started by hand. */
const minShare = 0.8;
/** Time that a run may begin before the minute of its expression, because clocks differ. */
const clockSkew = 5_000;
/** Runs that are spread more widely than this are not started by the minute. */
const startsByMinute = 2 * minute;
const dayMinutes = 1_440;
const cyclesInMinutes = [5, 10, 15, 20, 30, 60, 120, 180, 240, 360, 480, 720, dayMinutes];
/** Graces that people choose, in milliseconds. */
const graces = [
  ...[5, 10, 15, 20, 30].map((minutes) => minutes * minute),
  ...[1, 2, 3, 4, 6, 8, 12].map((hours) => hours * hour),
  ...[1, 2, 3, 5, 7, 14].map((days) => days * day),
];

/** A schedule that may be the right one, before it is known which grace it needs. */
interface Candidate {
  schedule: ScheduleText;
  /** The shortest time between two expected runs. */
  interval: number;
  /** By how much runs of the cluster are late at most. */
  spread: number;
  /** Number of runs that follow it. */
  regular: number;
  words: string;
}

/**
 * Suggests when the next runs of a recurring piece of work are to be expected, in a time zone or in UTC, whichever fits better.
 * A suggestion would have called none of these runs missed. Undefined if there are too few of them, or no rule to be seen.
 */
export function suggestSchedule(
  starts: readonly number[],
  { timeZone, now }: { timeZone: string; now: number },
): ScheduleSuggestion | undefined {
  const begun = [...new Set(starts)].sort((one, other) => one - other).slice(-suggestionRuns.max);
  if (begun.length < suggestionRuns.min || hasStopped(begun, now)) return undefined;
  const zone = findTimeZone(timeZone);
  // While clocks are not changed, both fit alike.
  const isSteady = zone && new Set(begun.map((at) => zone.offsetAt(at))).size === 1;
  const found = [
    ...(zone ? [suggestCron(begun, timeZone, zone)] : []),
    ...(isSteady ? [] : [suggestCron(begun, "UTC", utc)]),
  ].filter((one) => one !== undefined);
  const [first, other] = found;
  // Work that follows another clock moves by an hour in this one when that is changed.
  const isOtherBetter = first && other && other.maxDeviationSeconds < first.maxDeviationSeconds - minute / 1000;
  return (isOtherBetter ? other : first) ?? suggestPeriod(begun);
}

const utc: TimeZone = { offsetAt: () => 0 };

function hasStopped(begun: readonly number[], now: number): boolean {
  return now - (begun.at(-1) ?? 0) > stoppedAfterGaps * Math.max(...gapsOf(begun));
}

function gapsOf(begun: readonly number[]): number[] {
  return begun.slice(1).map((at, index) => at - (begun[index] ?? at));
}

/** The shortest cycle of the clock that the runs follow. */
function suggestCron(begun: readonly number[], name: string, zone: TimeZone): ScheduleSuggestion | undefined {
  const walls = begun.map((at) => wallClock(zone, at));
  const span = (begun.at(-1) ?? 0) - (begun[0] ?? 0);
  // Each time of a cycle needs a run: what has more of them than there are runs cannot be it.
  const canBeEvery = (cycle: number) => span / (cycle * minute) <= begun.length + 2;
  for (const cycle of cyclesInMinutes.filter((one) => canBeEvery(one) || one === dayMinutes)) {
    const [every, ...others] = candidatesOf(walls, cycle, name);
    for (const candidate of [...(every && canBeEvery(cycle) ? [every] : []), ...others]) {
      const suggestion = withGrace(candidate, begun);
      if (suggestion) return suggestion;
    }
  }
  return undefined;
}

function candidatesOf(walls: readonly number[], cycleMinutes: number, timeZone: string): Candidate[] {
  const cycle = cycleMinutes * minute;
  const cluster = findCluster(
    walls.map((wall) => wall % cycle),
    cycle,
    minShare,
  );
  if (!cluster) return [];
  const chosen = startMinuteOf(cluster.start, cluster.spread);
  const spread = Math.max(0, cluster.start + cluster.spread - chosen * minute);
  const start = chosen % cycleMinutes;
  const regular = cluster.count;
  const every = {
    schedule: { cron: cycleExpression(cycleMinutes, start), time_zone: timeZone },
    interval: cycle,
    spread,
    regular,
    words: cycleWords(cycleMinutes, start),
  };
  if (cycleMinutes < dayMinutes) return [every];
  const days = weekdaysOf(walls, start * minute, spread);
  if (days.length === 0 || days.length === 7) return [every];
  const some = {
    ...every,
    schedule: { cron: weekdayExpression(start, days), time_zone: timeZone },
    interval: days.length === 1 ? 7 * day : day,
    words: weekdayWords(start, days),
  };
  return [every, some];
}

/** The minute that runs are expected at: exact if they begin by the minute, else what people write. */
function startMinuteOf(start: number, spread: number): number {
  const exact = Math.floor((start + clockSkew) / minute);
  return spread <= startsByMinute ? exact : Math.floor(exact / 5) * 5;
}

/** The days of the week on which runs were expected that follow a time of day. Each has to have been seen twice. */
function weekdaysOf(walls: readonly number[], start: number, spread: number): number[] {
  const seen = new Map<number, number>();
  for (const wall of walls) {
    const since = (wall + clockSkew - start) % day;
    if (since > spread + 2 * clockSkew) continue;
    const weekday = new Date(wall + clockSkew - since).getUTCDay();
    seen.set(weekday, (seen.get(weekday) ?? 0) + 1);
  }
  return [...seen].some(([, times]) => times < 2) ? [] : [...seen.keys()].sort();
}

/** Gives a candidate the least grace with which no run was missed, and room for as much delay again. */
function withGrace(candidate: Candidate, begun: readonly number[]): ScheduleSuggestion | undefined {
  const { schedule, interval, spread, regular, words } = candidate;
  const parsed = parseSchedule(schedule);
  if ("reason" in parsed) return undefined;
  const wanted = Math.max(2 * spread, interval / 24);
  const allowed = graces.filter((one) => one <= interval / 2);
  // A short cycle has no grace that leaves room: the longest that ends before the next run has to do.
  const tried = [...allowed.filter((one) => one >= wanted), ...(allowed.length === 0 ? [minute] : [])];
  // If the maximum grace does not help, no grace does.
  if (wouldHaveMissed(parsed, tried.at(-1) ?? 0, begun)) return undefined;
  const grace = tried.find((one) => !wouldHaveMissed(parsed, one, begun));
  if (grace === undefined) return undefined;
  const zone = "time_zone" in schedule ? ` in ${schedule.time_zone}` : "";
  const late = spread < 1_000 ? "on the second" : `at most ${lengthWords(spread)} late`;
  const others = begun.length - regular;
  const exceptions = others === 0 ? "" : `; ${others} began at other times`;
  return {
    schedule,
    graceSeconds: grace / 1000,
    confidence: confidenceIn(candidate, begun),
    runs: begun.length,
    maxDeviationSeconds: Math.max(0, Math.ceil(spread / 1000)),
    reason: `${regular} of the last ${begun.length} runs began ${words}${zone}, ${late}${exceptions}.`,
  };
}

function confidenceIn({ interval, spread, regular }: Candidate, begun: readonly number[]): SuggestionConfidence {
  const span = (begun.at(-1) ?? 0) - (begun[0] ?? 0);
  // Less than two weeks do not show whether work rests at the weekend.
  const isLong = span >= (interval >= day ? 13 * day : 2 * day);
  const isTight = spread <= interval / 12;
  if (isLong && isTight && regular === begun.length && begun.length >= 10) return "high";
  return isTight && regular >= 0.9 * begun.length && begun.length >= 7 ? "medium" : "low";
}

/** Work that follows no clock is expected so long after its last run. */
function suggestPeriod(begun: readonly number[]): ScheduleSuggestion | undefined {
  const gaps = gapsOf(begun).sort((one, other) => one - other);
  const [shortest = 0] = gaps;
  const largest = gaps.at(-1) ?? 0;
  const median = gaps[Math.floor(gaps.length / 2)] ?? 0;
  const period = Math.ceil(median / minute) * minute;
  const { min, max } = monitorNumbers.periodSeconds;
  if (period < min * 1000 || period > max * 1000) return undefined;
  const schedule = { period_seconds: period / 1000 };
  const spread = Math.max(0, largest - period);
  const wanted = Math.max(1.5 * spread, period / 12);
  const grace = [minute, ...graces].find(
    (one) => one >= wanted && !wouldHaveMissed({ kind: "period", period }, one, begun),
  );
  // A run that may be a whole period late is not expected.
  if (grace === undefined || grace > period) return undefined;
  return {
    schedule,
    graceSeconds: grace / 1000,
    confidence: spread <= period / 5 && begun.length >= 10 ? "medium" : "low",
    runs: begun.length,
    maxDeviationSeconds: Math.ceil(spread / 1000),
    reason: `The last ${begun.length} runs began ${lengthWords(shortest)} to ${lengthWords(largest)} after the one before, at no fixed time of day.`,
  };
}
