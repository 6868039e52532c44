import { expect, test } from "bun:test";
import { scheduleText, scheduleWords, zoneWords } from "../src/texts/schedule-text";

const wordsOf = (cron: string) => scheduleWords({ cron, time_zone: "Europe/Berlin" });

test("simple expressions are said in words", () => {
  expect(["30 2 * * *", "5 0 * * MON", "0 7 * * 0", "15 22 * * 1-5", "30 12 1 * *", "9 * * * *"].map(wordsOf)).toEqual([
    "every day at 02:30",
    "every Monday at 00:05",
    "every Sunday at 07:00",
    "Monday to Friday at 22:15",
    "on day 1 of each month at 12:30",
    "every hour at :09",
  ]);
});

test("others stay as they are, never said wrongly", () => {
  const others = [
    "*/5 * * * *",
    "0 2,14 * * *",
    "0 2 1 * MON",
    "0 2 * 1 *",
    "0 2 * * 1#2",
    "0 2 L * *",
    "@daily",
    "1 2 3",
  ];
  expect(others.map(wordsOf)).toEqual(others);
});

test("the zone stands apart, and a period has none", () => {
  const schedule = { cron: "0 2 * * *", time_zone: "America/Sao_Paulo" };
  expect([scheduleText(schedule), zoneWords(schedule)]).toEqual(["0 2 * * * (America/Sao_Paulo)", "America/Sao Paulo"]);
  expect([scheduleWords({ period_seconds: 3600 }), zoneWords({ period_seconds: 3600 })]).toEqual(["every hour", ""]);
  expect(scheduleWords(null)).toBe("nothing is expected");
});
