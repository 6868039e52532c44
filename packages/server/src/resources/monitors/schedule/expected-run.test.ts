import { describe, expect, test } from "bun:test";
import { timeLimit } from "../../../../test/runs";
import { earlyBy, expectedAfterRun, nextExpected } from "./expected-run";
import { parseSchedule, type Schedule, type ScheduleText } from "./schedule";

const minute = 60_000;
const hour = 60 * minute;

function scheduleOf(text: ScheduleText): Schedule {
  const schedule = parseSchedule(text);
  if ("reason" in schedule) throw new Error(schedule.reason);
  return schedule;
}

const inBerlin = (cron: string) => scheduleOf({ cron, time_zone: "Europe/Berlin" });

/** The runs that are expected after a moment and before another: when, and from when on grace counts. */
function expectedWithin(schedule: Schedule, from: string, until: string): readonly (readonly string[])[] {
  const runs: string[][] = [];
  let run = nextExpected(schedule, Date.parse(from));
  while (run && run.at < Date.parse(until)) {
    runs.push([run.at, run.graceFrom].map((time) => new Date(time).toISOString().slice(5, 16)));
    run = nextExpected(schedule, run.at);
  }
  return runs;
}

/** Doubles a moment: grace counts from when the run is expected. */
const alike = (time: string) => [time, time];

describe("when the clocks of Berlin change", () => {
  test.each([
    {
      what: "a skipped time is expected at the first moment after the gap, with grace for those who shift it",
      cron: "30 2 * * *",
      from: "2027-03-27T12:00Z",
      until: "2027-03-29T12:00Z",
      runs: [["03-28T01:00", "03-28T01:30"], alike("03-29T00:30")],
    },
    {
      what: "a repeated time is expected once, with grace from its second moment",
      cron: "30 2 * * *",
      from: "2027-10-30T12:00Z",
      until: "2027-11-01T12:00Z",
      runs: [["10-31T00:30", "10-31T01:30"], alike("11-01T01:30")],
    },
    {
      what: "nothing is expected in the repeated hour every hour",
      cron: "0 * * * *",
      from: "2027-10-30T22:30Z",
      until: "2027-10-31T03:30Z",
      runs: [alike("10-30T23:00"), alike("10-31T00:00"), alike("10-31T02:00"), alike("10-31T03:00")],
    },
    {
      what: "every hour is expected, without the hour that is not there",
      cron: "0 * * * *",
      from: "2027-03-27T23:30Z",
      until: "2027-03-28T02:30Z",
      runs: [alike("03-28T00:00"), alike("03-28T01:00"), alike("03-28T02:00")],
    },
    {
      what: "the first time after the gap is expected then",
      cron: "0 3 * * *",
      from: "2027-03-27T12:00Z",
      until: "2027-03-28T12:00Z",
      runs: [alike("03-28T01:00")],
    },
    {
      what: "several skipped times are expected together, with the latest grace",
      cron: "0,30 2,3 * * *",
      from: "2027-03-27T12:00Z",
      until: "2027-03-28T12:00Z",
      runs: [["03-28T01:00", "03-28T01:30"], alike("03-28T01:30")],
    },
    {
      what: "what repeats is not expected at times that are skipped",
      cron: "*/20 2 * * *",
      from: "2027-03-27T12:00Z",
      until: "2027-03-29T12:00Z",
      runs: [alike("03-29T00:00"), alike("03-29T00:20"), alike("03-29T00:40")],
    },
    {
      what: "every other hour has none in the gap",
      cron: "0 */2 * * *",
      from: "2027-03-27T22:00Z",
      until: "2027-03-28T05:00Z",
      runs: [alike("03-27T23:00"), alike("03-28T02:00"), alike("03-28T04:00")],
    },
  ])("$what", ({ cron, from, until, runs }) => {
    expect(expectedWithin(inBerlin(cron), from, until)).toEqual(runs);
  });

  test("a period is not touched", () => {
    const schedule = scheduleOf({ period_seconds: 86_400 });
    expect(expectedWithin(schedule, "2027-03-27T02:30Z", "2027-03-30T00:00Z")).toEqual([
      alike("03-28T02:30"),
      alike("03-29T02:30"),
    ]);
  });
});

describe("dates", () => {
  test("months without a 31st have none", () => {
    const runs = expectedWithin(scheduleOf({ cron: "0 0 31 * *" }), "2027-01-01T00:00Z", "2027-09-01T00:00Z");
    expect(runs.map(([at]) => at)).toEqual(["01-31T00:00", "03-31T00:00", "05-31T00:00", "07-31T00:00", "08-31T00:00"]);
  });

  test.each([
    ["day of month or day of week", "0 0 13 * fri", ["08-06", "08-13", "08-20", "08-27", "09-03", "09-10", "09-13"]],
    ["a day that begins with * restricts the other, as in cron", "0 0 */10 * mon", ["10-11", "11-01", "01-31"]],
    ["Sunday is 7, too", "0 0 1-14 8 7", ["08-01", "08-02", "08-03"]],
    ["names in any letter case", "0 0 * SEP Mon-WED", ["09-01", "09-06", "09-07", "09-08"]],
  ])("%s", (_what, cron, days) => {
    const runs = expectedWithin(scheduleOf({ cron }), "2027-07-31T12:00Z", "2028-07-01T00:00Z");
    expect(runs.slice(0, days.length).map(([at]) => at?.slice(0, 5))).toEqual(days);
  });

  test("a leap day is found at once, also across a century without one", () => {
    const started = performance.now();
    const run = nextExpected(scheduleOf({ cron: "0 0 29 2 *" }), Date.parse("2096-03-01T00:00Z"));
    expect(new Date(run?.at ?? 0).toISOString()).toBe("2104-02-29T00:00:00.000Z");
    expect(performance.now() - started).toBeLessThan(timeLimit(500));
  });
});

describe("a run counts for the expected one", () => {
  const nightly = inBerlin("30 2 * * *");
  const after = (begun: string, grace: number) =>
    new Date(expectedAfterRun(nightly, Date.parse(begun), grace)?.at ?? 0).toISOString().slice(5, 16);

  test.each([
    ["that early", "2027-06-10T23:30Z", hour, "06-12T00:30"],
    ["not earlier", "2027-06-10T23:29Z", hour, "06-11T00:30"],
    ["at most half the interval early, whatever the grace", "2027-06-10T12:29Z", 100 * hour, "06-11T00:30"],
    ["at half the interval", "2027-06-10T12:30Z", 100 * hour, "06-12T00:30"],
    ["late", "2027-06-11T09:00Z", hour, "06-12T00:30"],
  ])("%s", (_what, begun, grace, expected) => {
    expect(after(begun, grace)).toBe(expected);
  });

  test("every run of a period moves the next one", () => {
    const schedule = scheduleOf({ period_seconds: 3600 });
    expect(expectedAfterRun(schedule, Date.parse("2027-06-11T09:10:30Z"), hour)).toEqual({
      at: Date.parse("2027-06-11T10:10:30Z"),
      graceFrom: Date.parse("2027-06-11T10:10:30Z"),
      interval: hour,
    });
  });

  test.each([
    [hour, 10 * minute, 10 * minute],
    [hour, 2 * hour, 30 * minute],
  ])("with an interval of %d and a grace of %d: %d early", (interval, grace, early) => {
    expect(earlyBy({ interval }, grace)).toBe(early);
  });
});
