import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { formatTimestamp, parseTimestamp } from "./timestamp";

describe("reading a timestamp", () => {
  test.each([
    ["2026-11-01T00:00:00Z", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01t00:00:00z", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T02:00:00+02:00", "2026-11-01T00:00:00.000Z"],
    ["2026-10-31T18:30:00-05:30", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T00:00:00-00:00", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T23:59:00+23:59", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T00:00:00.5Z", "2026-11-01T00:00:00.500Z"],
    ["2026-11-01T00:00:00.05Z", "2026-11-01T00:00:00.050Z"],
    ["2026-11-01T00:00:00.123000000Z", "2026-11-01T00:00:00.123Z"],
    ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z"],
    ["2000-02-29T12:00:00Z", "2000-02-29T12:00:00.000Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"],
    ["0099-01-01T00:00:00Z", "0099-01-01T00:00:00.000Z"],
    ["1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
    ["2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"],
    ["2016-12-31T23:59:60.5Z", "2017-01-01T00:00:00.500Z"],
    ["1966-12-31T23:59:60Z", "1967-01-01T00:00:00.000Z"],
    ["2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"],
    ["2016-12-31T15:59:60-08:00", "2017-01-01T00:00:00.000Z"],
  ])("takes %s", (text, moment) => {
    expect(parseTimestamp(text)).toEqual({ milliseconds: Date.parse(moment), isRoundedDown: false });
  });

  test.each([
    ["2026-11-01T00:00:00.0001Z", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T00:00:00.123456789Z", "2026-11-01T00:00:00.123Z"],
    ["1969-12-31T23:59:59.9999Z", "1969-12-31T23:59:59.999Z"],
  ])("rounds %s down and says so", (text, moment) => {
    expect(parseTimestamp(text)).toEqual({ milliseconds: Date.parse(moment), isRoundedDown: true });
  });

  test.each([
    "",
    "now",
    "2026-11-01",
    "2026-11-01T00:00:00",
    "2026-11-01T00:00Z",
    "2026-11-01 00:00:00Z",
    "2026-11-01T00:00:00 Z",
    " 2026-11-01T00:00:00Z",
    "2026-11-01T00:00:00Z\n",
    "2026-11-01T00:00:00.Z",
    "2026-11-01T00:00:00,5Z",
    "2026-11-01T00:00:00+0200",
    "2026-11-01T00:00:00+02",
    "2026-11-01T00:00:00+24:00",
    "2026-11-01T00:00:00+02:60",
    "2026-11-01T00:00:00Z+02:00",
    "26-11-01T00:00:00Z",
    "+002026-11-01T00:00:00Z",
    "2026-1-1T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-11-00T00:00:00Z",
    "2026-11-31T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-11-01T24:00:00Z",
    "2026-11-01T00:60:00Z",
    "2026-11-01T00:00:61Z",
    "2026-11-01T00:00:60Z",
    "2016-12-31T23:59:60+01:00",
    "2016-12-31T22:59:60Z",
    "٢٠٢٦-11-01T00:00:00Z",
    `2026-11-01T00:00:00.${"1".repeat(31)}Z`,
  ])("refuses %j", (text) => {
    expect(parseTimestamp(text)).toBeUndefined();
  });

  test("gives back every moment that was written", () => {
    const moment = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(moment, (date) => {
        const text = formatTimestamp(date.getTime());
        expect(parseTimestamp(text)).toEqual({ milliseconds: date.getTime(), isRoundedDown: false });
      }),
    );
  });

  test("agrees with the calendar about which days there are", () => {
    const two = (number: number) => String(number).padStart(2, "0");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), fc.nat(13), fc.nat(32), (year, month, day) => {
        const date = `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
        const isDay =
          month >= 1 &&
          month <= 12 &&
          day >= 1 &&
          day <= new Date(Date.UTC(2000 + (year % 400), month, 0)).getUTCDate();
        expect(parseTimestamp(`${date}T00:00:00Z`) !== undefined).toBe(isDay);
      }),
    );
  });
});

test("a moment is written in UTC, with milliseconds and Z", () => {
  expect(formatTimestamp(0)).toBe("1970-01-01T00:00:00.000Z");
  expect(formatTimestamp(1793491200123)).toBe("2026-11-01T00:00:00.123Z");
});
