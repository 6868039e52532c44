import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { judgeExpected } from "../judge-expected";
import { type ExpectedRun, expectedAfterRun, nextExpected } from "../schedule/expected-run";
import { parseSchedule, type Schedule, type ScheduleText } from "../schedule/schedule";
import { type ScheduleSuggestion, suggestSchedule } from "./suggest-schedule";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

function scheduleOf(text: ScheduleText): Schedule {
  const schedule = parseSchedule(text);
  if ("reason" in schedule) throw new Error(schedule.reason);
  return schedule;
}

/** Times at which a schedule starts runs after a moment. */
function runsOf(text: ScheduleText, from: string | number, count: number): number[] {
  const schedule = scheduleOf(text);
  const runs: number[] = [];
  for (let run = nextExpected(schedule, new Date(from).getTime()); run && runs.length < count; ) {
    runs.push(run.at);
    run = nextExpected(schedule, run.at);
  }
  return runs;
}

const suggest = (runs: readonly number[], timeZone = "Europe/Berlin") =>
  suggestSchedule(runs, { timeZone, now: Math.max(...runs) + minute });

/**
 * Counts the expected runs that a monitor would have called missed: it is made before the first run, and its worker looks every hour
 * and just before each run.
 */
function countMissed({ schedule: text, graceSeconds }: ScheduleSuggestion, runs: readonly number[]): number {
  const schedule = scheduleOf(text);
  const grace = graceSeconds * 1000;
  const begun = runs.toSorted((one, other) => one - other);
  const watchedFrom = (begun[0] ?? 0) - 1;
  let next: ExpectedRun | undefined = expectedAfterRun(schedule, begun[0] ?? 0, grace);
  let missed = 0;
  for (const [index, at] of begun.entries()) {
    for (let now = (begun[index - 1] ?? at) + hour; now < at && next; now += hour) look(now);
    look(at - 1);
    const after = expectedAfterRun(schedule, at, grace);
    next = after && next && after.at > next.at ? after : next;
  }
  return missed;

  function look(now: number): void {
    const judged =
      next && judgeExpected({ schedule, run: next, grace, watchedFrom, missedInARow: 0, lastMissAt: null }, [], now);
    missed += judged?.misses.length ?? 0;
    next = judged ? judged.next : next;
  }
}

describe("finds the schedule", () => {
  test.each([
    ["every night", "0 1 * * *", 30, 3_600],
    ["Monday to Friday", "0 2 * * 1-5", 30, 3_600],
    ["three days of the week", "15 22 * * 1,3,6", 20, 3_600],
    ["once a week", "0 4 * * 0", 8, 8 * 3_600],
    ["every hour", "17 * * * *", 30, 300],
    ["every quarter of an hour", "*/15 * * * *", 30, 300],
    ["every quarter of an hour, not on the hour", "7-59/15 * * * *", 30, 300],
    ["every six hours", "5 */6 * * *", 30, 900],
    ["every six hours, not at midnight", "5 3-23/6 * * *", 30, 900],
    ["just before midnight", "59 23 * * *", 30, 3_600],
    ["at midnight", "0 0 * * *", 14, 3_600],
  ])("%s", (_, cron, count, grace) => {
    for (const from of ["2026-01-05T00:00Z", "2026-03-20T00:00Z", "2026-10-10T00:00Z"]) {
      const runs = runsOf({ cron, time_zone: "Europe/Berlin" }, from, count);
      expect(suggest(runs)).toMatchObject({
        schedule: { cron, time_zone: "Europe/Berlin" },
        graceSeconds: grace,
        runs: count,
        maxDeviationSeconds: 0,
      });
    }
  });

  test.each([
    ["2026-03-20T00:00Z", 3_600, 7_200],
    ["2026-10-10T00:00Z", 0, 3_600],
  ])("in spite of an hour that clocks skip or repeat, from %s", (from, maxDeviationSeconds, graceSeconds) => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "Europe/Berlin" }, from, 30);
    expect(suggest(runs)).toMatchObject({
      schedule: { cron: "0 2 * * *", time_zone: "Europe/Berlin" },
      graceSeconds,
      confidence: "high",
      maxDeviationSeconds,
    });
  });

  test("with a grace from the spread, and says what it saw", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "Europe/Berlin" }, "2026-05-01T00:00Z", 30);
    const late = runs.map((at, index) => at + (index % 5) * 10 * minute);
    expect(suggest(late)).toEqual({
      schedule: { cron: "0 2 * * *", time_zone: "Europe/Berlin" },
      graceSeconds: 2 * 3_600,
      confidence: "high",
      runs: 30,
      maxDeviationSeconds: 2_400,
      reason: "30 of the last 30 runs began every day at 02:00 in Europe/Berlin, at most 40 minutes late.",
    });
  });

  test("in UTC, if the work does not follow the clock of the time zone", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-03-15T00:00Z", 30);
    expect(suggest(runs)?.schedule).toEqual({ cron: "0 2 * * *", time_zone: "UTC" });
  });

  test("in spite of retries and of a run that was started by hand", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "Europe/Berlin" }, "2026-05-01T00:00Z", 26);
    const more = [...runs, (runs[3] ?? 0) + 5 * minute, (runs[9] ?? 0) + 4 * minute, (runs[7] ?? 0) + 11 * hour];
    expect(suggest(more)).toMatchObject({
      schedule: { cron: "0 2 * * *", time_zone: "Europe/Berlin" },
      confidence: "medium",
      reason: expect.stringMatching(/; 1 began at other times\.$/),
    });
  });

  test("as a period, for work that follows no clock", () => {
    const runs = Array.from({ length: 20 }, (_, index) => Date.UTC(2026, 4, 1) + index * 25 * hour);
    expect(suggest(runs)).toEqual({
      schedule: { period_seconds: 90_000 },
      graceSeconds: 3 * 3_600,
      confidence: "medium",
      runs: 20,
      maxDeviationSeconds: 0,
      reason: "The last 20 runs began 25 hours to 25 hours after the one before, at no fixed time of day.",
    });
    const monthly = runsOf({ cron: "0 3 1 * *", time_zone: "UTC" }, "2026-03-01T12:00Z", 6);
    expect(suggest(monthly)).toMatchObject({ schedule: { period_seconds: 31 * 86_400 }, confidence: "low" });
  });

  test("with less confidence from fewer runs, and from days that show no weekend", () => {
    const runs = (count: number) => runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-05-04T00:00Z", count);
    expect([5, 8, 14, 30].map((count) => suggest(runs(count), "UTC")?.confidence)).toEqual([
      "low",
      "medium",
      "high",
      "high",
    ]);
  });

  test("from the newest 30 runs only", () => {
    const before = runsOf({ cron: "0 9 * * *", time_zone: "UTC" }, "2026-03-01T00:00Z", 30);
    const since = runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-05-01T00:00Z", 30);
    expect(suggest([...since, ...before], "UTC")).toMatchObject({ schedule: { cron: "0 2 * * *" }, runs: 30 });
  });
});

describe("suggests nothing", () => {
  test("from fewer than five runs, from none and from one that was counted twice", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-05-01T00:00Z", 4);
    expect([runs, [], [...runs, ...runs]].map((given) => suggestSchedule(given, { timeZone: "UTC", now: 0 }))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("for work that runs at random", () => {
    const gaps = [3, 90, 17, 240, 8, 30, 600, 5, 44, 120].map((minutes) => minutes * minute);
    let at = Date.UTC(2026, 4, 1);
    expect(suggest(gaps.map((gap) => (at += gap)))).toBeUndefined();
  });

  test("for work that has stopped", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-05-01T00:00Z", 20);
    const last = runs.at(-1) ?? 0;
    const at = (now: number) => suggestSchedule(runs, { timeZone: "UTC", now }) !== undefined;
    expect([at(last + 2 * day), at(last + 4 * day)]).toEqual([true, false]);
  });

  test("in a time zone that there is not, but in UTC", () => {
    const runs = runsOf({ cron: "0 2 * * *", time_zone: "UTC" }, "2026-05-01T00:00Z", 20);
    expect(suggest(runs, "Nowhere/Land")?.schedule).toEqual({ cron: "0 2 * * *", time_zone: "UTC" });
  });
});

const zone = fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata");
const cron = fc.oneof(
  fc.tuple(fc.nat(59), fc.nat(23)).map(([m, h]) => `${m} ${h} * * *`),
  fc.tuple(fc.nat(59), fc.nat(23)).map(([m, h]) => `${m} ${h} * * 1-5`),
  fc.tuple(fc.nat(59), fc.nat(23), fc.nat(6)).map(([m, h, d]) => `${m} ${h} * * ${d}`),
  fc.nat(59).map((m) => `${m} * * * *`),
  fc.constantFrom("*/5 * * * *", "*/15 * * * *", "*/30 * * * *", "0 */6 * * *", "20 */2 * * *"),
);
const from = fc.integer({ min: Date.UTC(2025, 11, 1), max: Date.UTC(2027, 0, 1) });
const count = fc.integer({ min: 5, max: 30 });
const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 30, maxLength: 30 });

describe("for any history,", () => {
  test("a schedule that is kept to the second is found, or one that expects its runs", () => {
    fc.assert(
      fc.property(cron, zone, from, count, (expression, time_zone, start, length) => {
        const runs = runsOf({ cron: expression, time_zone }, start, length);
        const suggestion = suggest(runs, time_zone);
        expect(suggestion !== undefined || length < 15).toBe(true);
        expect(suggestion ? countMissed(suggestion, runs) : 0).toBe(0);
        expect(suggestion?.maxDeviationSeconds ?? 0).toBeLessThanOrEqual(3_600);
      }),
      { numRuns: 300 },
    );
  });

  test("jitter leads to a schedule that expects the runs where they were, or to none", () => {
    fc.assert(
      fc.property(
        cron,
        zone,
        from,
        count,
        shares,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (expression, time_zone, start, length, delays, max) => {
          const at = runsOf({ cron: expression, time_zone }, start, length);
          const interval = Math.min(...at.slice(1).map((one, index) => one - (at[index] ?? 0)));
          const runs = at.map((one, index) => one + (delays[index] ?? 0) * max * (interval / 3));
          const suggestion = suggest(runs, time_zone);
          expect(suggestion ? countMissed(suggestion, runs) : 0).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("gaps of any length never lead to one that would have missed a run, and the grace is never a whole interval", () => {
    const gap = fc.oneof(
      fc.integer({ min: 1, max: 10 * minute }),
      fc.integer({ min: minute, max: 2 * day }),
      fc.constantFrom(hour, day, 7 * day),
    );
    fc.assert(
      fc.property(fc.array(gap, { minLength: 4, maxLength: 40 }), zone, from, (gaps, time_zone, start) => {
        let at = start;
        const runs = [at, ...gaps.map((one) => (at += one))];
        const suggestion = suggest(runs, time_zone);
        expect(suggestion ? countMissed(suggestion, runs.slice(-30)) : 0).toBe(0);
        const { schedule = { period_seconds: 1 }, graceSeconds = 0 } = suggestion ?? {};
        expect(graceSeconds).toBeLessThanOrEqual("cron" in schedule ? 3.5 * 86_400 : schedule.period_seconds);
      }),
      { numRuns: 500 },
    );
  });
});
