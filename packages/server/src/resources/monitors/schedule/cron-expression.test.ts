import { describe, expect, test } from "bun:test";
import { parseCron } from "./cron-expression";
import { parseSchedule } from "./schedule";

const five = "minute, hour, day of month, month, day of week";

test("an expression is read field by field", () => {
  expect(parseCron(" 0,30\t1-9/4  1,15-17 feb */3 ")).toEqual({
    minutes: [0, 30],
    hours: [1, 5, 9],
    days: [1, 15, 16, 17],
    months: [2],
    weekdays: [0, 3, 6],
    needsBothDays: true,
    isRepeating: false,
  });
});

describe("refused, with what to write instead:", () => {
  test.each([
    ["", `The cron expression is empty. Give five fields: ${five}.`],
    ["30 2 * *", `The expression has 4 fields. Give five: ${five}, such as 30 2 * * *.`],
    ["tomorrow", `The expression has 1 field. Give five: ${five}, such as 30 2 * * *.`],
    ["0 30 2 * * *", `The expression has 6 fields. Seconds and years are not supported; give five fields: ${five}.`],
    ["@daily", "@daily is not supported. Write 0 0 * * * instead."],
    ["@reboot", `Words that begin with @ are not supported. Give five fields: ${five}.`],
    ["0 0 L * *", 'In the field day of month, "L" is not supported: L, W and # are not known to cron.'],
    ["0 0 15W * *", 'In the field day of month, "15W" is not supported: L, W and # are not known to cron.'],
    ["0 0 * * fri#2", 'In the field day of week, "fri#2" is not supported: L, W and # are not known to cron.'],
    ["0 0 ? * 1", "In the field day of month, ? is not supported. Write * for every value."],
    ["30-10 * * * *", 'In the field minute, the range "30-10" runs backwards. Write 30-59,0-10 instead.'],
    ["0 0 * * sat-sun", 'In the field day of week, the range "sat-sun" runs backwards. Write 6-7: 7 is Sunday, too.'],
    ["0 0 * * fri-tue", 'In the field day of week, the range "fri-tue" runs backwards. Write 5-6,0-2 instead.'],
    ["*/0 * * * *", 'In the field minute, "*/0" needs a step from 1 to 59.'],
    ["5/15 * * * *", 'In the field minute, "5/15" has a step without a range. Write 5-59/15 instead.'],
    ["0 1,,2 * * *", "In the field hour, a value is missing."],
    ["0 0/2/3 * * *", 'In the field hour, "0/2/3" has more than one step.'],
    [
      "60 * * * *",
      'In the field minute, "60" is no minute. Give numbers from 0 to 59, with *, lists, ranges and steps.',
    ],
    [
      "0 0 1 month *",
      'In the field month, "month" is no month. Give numbers from 1 to 12, or names from jan to dec, with *, lists, ranges and steps.',
    ],
    ["0 0 31 2,4 *", "No year has such a date: none of these months has such a day."],
    ["0".repeat(201), "A cron expression has at most 200 characters."],
  ])("%s", (text, reason) => {
    expect(parseCron(text)).toEqual({ reason });
  });
});

describe("OnCalendar is refused with the cron form:", () => {
  test.each([
    ["*-*-* 02:30:00", "Write 30 2 * * * instead."],
    ["Mon..Fri 22:05", "Write 5 22 * * mon-fri instead."],
    ["Sunday *-*-* 00/6:00", "Write 0 0-23/6 * * sun instead."],
    ["*-*-01 00:00:00 Europe/Berlin", "Write 0 0 1 * * instead, and Europe/Berlin as time_zone."],
    ["*-01,07-01", "Write 0 0 1 1,7 * instead."],
    ["weekly", "Write 0 0 * * 1 instead."],
    ["2027-01-01 02:30", `Give five fields: ${five}, such as 30 2 * * *.`],
    ["*:*:30", `Give five fields: ${five}, such as 30 2 * * *.`],
  ])("%s", (text, instead) => {
    const reason = `This is the notation of systemd's OnCalendar, which is not supported. ${instead}`;
    expect(parseCron(text)).toEqual({ reason });
  });
});

test.each(["Mars/Olympus", "+02:00", ""])("there is no time zone %j", (time_zone) => {
  const reason = `There is no time zone ${JSON.stringify(time_zone)}. Give a name of the IANA database, such as Europe/Berlin.`;
  expect(parseSchedule({ cron: "0 0 * * *", time_zone })).toEqual({ reason, field: "time_zone" });
});

test.each(["31 2 * * *", "0 0 31 2 mon"])("%s has dates", (text) => {
  expect(parseCron(text)).not.toHaveProperty("reason");
});
