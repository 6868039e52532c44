import { describe, expect, test } from "bun:test";
import { type Awaited, judgeExpected, settling } from "./judge-expected";
import { nextExpected } from "./schedule/expected-run";
import { parseSchedule, type ScheduleText } from "./schedule/schedule";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const start = Date.parse("2026-11-15T00:00:00Z");

/** A monitor that was made at the start of the day, with a grace of ten minutes. */
function awaitedBy(text: ScheduleText, changes: Partial<Awaited> = {}): Awaited {
  const schedule = parseSchedule(text);
  if ("reason" in schedule) throw new Error(schedule.reason);
  const run = nextExpected(schedule, start);
  if (!run) throw new Error("Nothing is expected.");
  return { schedule, run, grace: 10 * minute, watchedFrom: start, missedInARow: 0, lastMissAt: null, ...changes };
}

const hourly = { cron: "0 * * * *", time_zone: "UTC" };
/** A moment of the day, in hours and minutes. */
const after = (hours: number, minutes = 0) => start + hours * hour + minutes * minute;

describe("an expected run that did not come", () => {
  test("is missed once its grace and the time to write it down are over, and not a millisecond before", () => {
    const awaited = awaitedBy(hourly);
    const end = after(1, 10) + settling;
    expect(judgeExpected(awaited, [], end - 1)).toEqual({
      misses: [],
      next: awaited.run,
      missedInARow: 0,
      unwatchedAt: null,
    });
    expect(judgeExpected(awaited, [], end)).toEqual({
      misses: [{ expectedAt: after(1), at: after(1, 10), inARow: 1, hasTask: true }],
      next: { at: after(2), graceFrom: after(2), interval: hour },
      missedInARow: 1,
      unwatchedAt: null,
    });
    expect(settling).toBe(5_000);
  });

  test("has its grace counted from when clocks leave open no longer when it comes", () => {
    const awaited = awaitedBy(hourly, { run: { at: after(1), graceFrom: after(2), interval: hour } });
    expect(judgeExpected(awaited, [], after(2, 9)).misses).toEqual([]);
    expect(judgeExpected(awaited, [], after(2, 11)).misses[0]).toMatchObject({
      expectedAt: after(1),
      at: after(2, 10),
    });
  });

  test("is followed by the next ones, up to now", () => {
    const { misses, next, missedInARow } = judgeExpected(awaitedBy(hourly, { missedInARow: 2 }), [], after(3, 30));
    expect(misses.map(({ expectedAt, inARow }) => [expectedAt, inARow])).toEqual([
      [after(1), 3],
      [after(2), 4],
      [after(3), 5],
    ]);
    expect([next?.at, missedInARow]).toEqual([after(4), 5]);
  });

  test("is the last one if nothing is expected after it", () => {
    const awaited = awaitedBy(hourly);
    if (awaited.schedule.kind !== "cron") throw new Error("It has no calendar.");
    const schedule = { ...awaited.schedule, calendar: { ...awaited.schedule.calendar, after: () => undefined } };
    const judged = judgeExpected({ ...awaited, schedule }, [], after(9));
    expect([judged.misses.length, judged.next]).toEqual([1, undefined]);
  });

  test("is judged together with at most 99 others", () => {
    const judged = judgeExpected(awaitedBy({ period_seconds: 60 }, { grace: 0 }), [], start + 5 * hour);
    expect([judged.misses.length, judged.missedInARow]).toEqual([100, 100]);
    expect(judged.next?.at).toBe(start + 101 * minute);
  });

  test("gets a task up to the 24th in a row, and then once a day", () => {
    const { misses } = judgeExpected(awaitedBy(hourly), [], after(97));
    expect(misses.filter(({ hasTask }) => hasTask).map(({ inARow }) => inARow)).toEqual([
      ...Array.from({ length: 24 }, (_, at) => at + 1),
      48,
      72,
      96,
    ]);
  });

  test("gets a task if the last one is a day old, or if there is none", () => {
    const hasTask = (lastMissAt: number | null) =>
      judgeExpected(awaitedBy(hourly, { missedInARow: 30, lastMissAt }), [], after(1, 11)).misses[0]?.hasTask;
    expect([hasTask(after(1, 10) - day), hasTask(after(1, 10) - day + 1), hasTask(null)]).toEqual([true, false, true]);
  });
});

describe("a time in which nothing could be heard", () => {
  const judgedWith = (from: number, until: number, changes: Partial<Awaited> = {}, now = after(1, 11)) =>
    judgeExpected(awaitedBy(hourly, changes), [{ from, until }], now);

  test("makes nothing of a run that may have come in it, from its earliest moment to the end of its grace", () => {
    expect(judgedWith(after(0, 30), after(0, 51))).toEqual({
      misses: [],
      next: { at: after(2), graceFrom: after(2), interval: hour },
      missedInARow: 0,
      unwatchedAt: after(1),
    });
    expect(judgedWith(after(1, 9), after(1, 30)).unwatchedAt).toBe(after(1));
  });

  test("matters neither before that nor after", () => {
    expect(judgedWith(after(0, 30), after(0, 50)).misses).toHaveLength(1);
    expect(judgedWith(after(1, 10), after(1, 30)).misses).toHaveLength(1);
  });

  test("does not matter before the monitor was made", () => {
    const watchedFrom = after(0, 55);
    expect(judgedWith(after(0, 30), after(0, 54), { watchedFrom }).misses).toHaveLength(1);
    expect(judgedWith(after(0, 30), after(0, 56), { watchedFrom }).misses).toHaveLength(0);
  });

  test("leaves as unknown all whose grace has ended meanwhile, and expects the one after them", () => {
    const long = judgedWith(after(0, 55), after(4, 5), {}, after(5, 11));
    expect(long.misses.map(({ expectedAt }) => expectedAt)).toEqual([after(5)]);
    expect(long.unwatchedAt).toBe(after(4));
    const ended = judgedWith(after(0, 55), after(4, 10), {}, after(4, 30));
    expect([ended.next?.at, ended.unwatchedAt]).toEqual([after(5), after(1)]);
  });

  test("may be followed by nothing that is expected", () => {
    const awaited = awaitedBy(hourly);
    if (awaited.schedule.kind !== "cron") throw new Error("It has no calendar.");
    const schedule = { ...awaited.schedule, calendar: { ...awaited.schedule.calendar, after: () => undefined } };
    const judged = judgeExpected({ ...awaited, schedule }, [{ from: after(1), until: after(2) }], after(3));
    expect([judged.misses, judged.next, judged.unwatchedAt]).toEqual([[], undefined, after(1)]);
  });

  test("leaves none out that may still come within a long grace", () => {
    expect(judgedWith(after(0, 55), after(9), { grace: 2 * hour }, after(9, 30)).next?.at).toBe(after(8));
  });

  test("lasts until the last of several has ended", () => {
    const times = [
      { from: after(0, 58), until: after(3, 30) },
      { from: after(1), until: after(1, 5) },
    ];
    expect(judgeExpected(awaitedBy(hourly), times, after(2, 11))).toMatchObject({
      misses: [],
      next: { at: after(4) },
      unwatchedAt: after(1),
    });
  });

  test("moves the next run of a period by all of it", () => {
    const period = { period_seconds: 3_600 };
    const judged = (until: number) =>
      judgeExpected(awaitedBy(period), [{ from: after(0, 55), until }], after(1, 11)).next?.at;
    expect([judged(after(3)), judged(after(0, 58))]).toEqual([after(4), after(2)]);
  });

  test("counts with grace that begins later, as it does where clocks change", () => {
    // The clocks of Berlin skip 02:00 to 03:00, and with it four runs, which become one.
    const schedule = { cron: "0,15,30,45 2 * * *", time_zone: "Europe/Berlin" };
    const skipped = Date.parse("2027-03-28T01:00:00Z");
    const run = { at: skipped, graceFrom: skipped + 45 * minute, interval: day };
    const awaited = awaitedBy(schedule, { run, watchedFrom: skipped - day });
    const judged = (until: number, now: number) => judgeExpected(awaited, [{ from: skipped - minute, until }], now);
    const nextDay = Date.parse("2027-03-29T00:00:00Z");
    expect(judged(skipped + 50 * minute, skipped + hour)).toMatchObject({
      misses: [],
      next: { at: nextDay },
      unwatchedAt: skipped,
    });
    const before = {
      at: skipped - 23 * hour - 15 * minute,
      graceFrom: skipped - 23 * hour - 15 * minute,
      interval: day,
    };
    const blind = [{ from: before.at, until: skipped + 20 * minute }];
    expect(judgeExpected({ ...awaited, run: before }, blind, skipped + 21 * minute)).toMatchObject({
      misses: [],
      next: { at: run.at, graceFrom: run.graceFrom },
    });
  });
});
