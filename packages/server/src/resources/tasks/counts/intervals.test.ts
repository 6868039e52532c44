import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { runs } from "../../../../test/runs";
import { type CutInterval, intervalAt } from "./intervals";
import { findTimeZone, type TimeZone } from "./time-zone";

function zoneOf(name: string): TimeZone {
  const zone = findTimeZone(name);
  if (!zone) throw new Error(`There is no zone ${name}.`);
  return zone;
}

const zones = [
  "UTC",
  "Europe/Berlin",
  "Asia/Kolkata",
  "Asia/Kathmandu",
  "America/Sao_Paulo",
  "Africa/Cairo",
  "Africa/Monrovia",
  "America/St_Johns",
  "Australia/Lord_Howe",
  "Pacific/Apia",
  "Pacific/Chatham",
  "Pacific/Kiritimati",
  "America/New_York",
  "Asia/Gaza",
];
const hours = (name: string, day: string) => {
  const { from, until } = intervalAt(zoneOf(name), "day", Date.parse(day));
  return [new Date(from).toISOString(), (until - from) / 3_600_000];
};

describe("a day", () => {
  test.each([
    ["has 23 hours when clocks go forward", "Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00.000Z", 23],
    ["has 25 hours when clocks go back", "Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00.000Z", 25],
    ["begins at half past in India", "Asia/Kolkata", "2026-05-01T12:00:00Z", "2026-04-30T18:30:00.000Z", 24],
    ["begins at a quarter in Nepal", "Asia/Kathmandu", "2026-05-01T12:00:00Z", "2026-04-30T18:15:00.000Z", 24],
    [
      "begins at 1:00 where 0:00 is skipped",
      "America/Sao_Paulo",
      "2018-11-04T12:00:00Z",
      "2018-11-04T03:00:00.000Z",
      23,
    ],
    ["ends at its second midnight", "America/Sao_Paulo", "2018-02-17T12:00:00Z", "2018-02-17T02:00:00.000Z", 25],
    ["begins at 1:00 in Cairo, too", "Africa/Cairo", "2026-04-24T12:00:00Z", "2026-04-23T22:00:00.000Z", 23],
    [
      "has half an hour more on Lord Howe",
      "Australia/Lord_Howe",
      "2026-04-05T00:00:00Z",
      "2026-04-04T13:00:00.000Z",
      24.5,
    ],
    [
      "is followed by the next but one in Apia",
      "Pacific/Apia",
      "2011-12-30T09:59:59.999Z",
      "2011-12-29T10:00:00.000Z",
      24,
    ],
    ["begins in Apia when another was skipped", "Pacific/Apia", "2011-12-30T10:00:00Z", "2011-12-30T10:00:00.000Z", 24],
    [
      "begins once where clocks go back over midnight",
      "America/St_Johns",
      "2010-11-07T02:45:00Z",
      "2010-11-07T02:30:00.000Z",
      25,
    ],
    [
      "begins within a minute in old Liberia",
      "Africa/Monrovia",
      "1971-05-01T12:00:00Z",
      "1971-05-01T00:44:30.000Z",
      24,
    ],
  ])("%s", (_, zone, day, start, length) => {
    expect(hours(zone, day)).toEqual([start, length]);
  });
});

test("a week begins on Monday, a month on its first day, by the clocks of the zone", () => {
  const range = (interval: CutInterval, zone: string, time: string) => {
    const { from, until } = intervalAt(zoneOf(zone), interval, Date.parse(time));
    return [new Date(from).toISOString(), new Date(until).toISOString()];
  };
  expect(range("week", "Europe/Berlin", "2026-10-25T22:59:59.999Z")).toEqual([
    "2026-10-18T22:00:00.000Z",
    "2026-10-25T23:00:00.000Z",
  ]);
  expect(range("month", "Asia/Kolkata", "2026-10-31T18:30:00.000Z")).toEqual([
    "2026-10-31T18:30:00.000Z",
    "2026-11-30T18:30:00.000Z",
  ]);
  expect(range("week", "UTC", "2026-11-16T00:00:00.000Z")[0]).toBe("2026-11-16T00:00:00.000Z");
});

test("an hour that clocks cut by half an hour is two", () => {
  const range = (time: string) => {
    const { from, until } = intervalAt(zoneOf("Australia/Lord_Howe"), "hour", Date.parse(time));
    return [new Date(from).toISOString().slice(11, 16), (until - from) / 60_000];
  };
  // At 15:00 UTC clocks go from 2:00 back to 1:30.
  expect([range("2026-04-04T14:59:00Z"), range("2026-04-04T15:10:00Z"), range("2026-04-04T15:40:00Z")]).toEqual([
    ["14:00", 60],
    ["15:00", 30],
    ["15:30", 60],
  ]);
});

test("the intervals of a zone leave out no moment, share none, and begin when its clocks say so", () => {
  const moment = fc.integer({ min: Date.parse("1970-01-02T00:00:00Z"), max: Date.parse("2040-01-01T00:00:00Z") });
  const interval = fc.constantFrom<CutInterval>("hour", "day", "week", "month");
  fc.assert(
    fc.property(fc.constantFrom(...zones), interval, moment, (name, kind, time) => {
      const zone = zoneOf(name);
      const { from, until } = intervalAt(zone, kind, time);
      expect([from <= time, time < until]).toEqual([true, true]);
      for (const inside of [from, until - 1, Math.floor((from + until) / 2)]) {
        expect(intervalAt(zone, kind, inside)).toEqual({ from, until });
      }
      expect(intervalAt(zone, kind, until).from).toBe(until);
      expect(intervalAt(zone, kind, from - 1).until).toBe(from);
    }),
    runs(300, 20_000),
  );
});

test("a day, a week and a month begin where Temporal has them begin", () => {
  const moment = fc.integer({ min: Date.parse("1970-01-02T00:00:00Z"), max: Date.parse("2040-01-01T00:00:00Z") });
  // Where clocks went back over midnight, Temporal counts an hour to the day before although the next one has begun.
  const plain = zones.filter((name) => name !== "America/St_Johns");
  fc.assert(
    fc.property(fc.constantFrom(...plain), moment, (name, time) => {
      const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(name);
      const starts = {
        day: local.startOfDay(),
        week: local.subtract({ days: local.dayOfWeek - 1 }).startOfDay(),
        month: local.with({ day: 1 }).startOfDay(),
      };
      for (const kind of ["day", "week", "month"] as const) {
        expect([kind, intervalAt(zoneOf(name), kind, time).from]).toEqual([kind, starts[kind].epochMilliseconds]);
      }
    }),
    runs(300, 20_000),
  );
});

test("a zone is known by its name in any letter case, and by nothing else", () => {
  expect(findTimeZone("europe/BERLIN")).toBe(zoneOf("Europe/Berlin"));
  for (const name of ["", "Europe/Nowhere", "+02:00", "CET+1", "Europe/Berlin ", "Europe/Berlın", "A".repeat(10_000)]) {
    expect([name, findTimeZone(name)]).toEqual([name, undefined]);
  }
});
