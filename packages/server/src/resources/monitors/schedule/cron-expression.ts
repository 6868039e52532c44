import { quote } from "@holdfast/api/conventions/api-error";
import { textLimits } from "@holdfast/api/conventions/text-limits";

/** Fields of a cron expression. */
export interface CronExpression {
  minutes: readonly number[];
  hours: readonly number[];
  days: readonly number[];
  months: readonly number[];
  /** 0 is Sunday. */
  weekdays: readonly number[];
  /** True if a day has to fit both fields of days. Otherwise one of them is enough. */
  needsBothDays: boolean;
  /** True if it names no time of day: minute or hour begin with `*`. Cron then goes by the clock through its changes. */
  isRepeating: boolean;
}

/** Why something is no schedule. */
export interface Unusable {
  reason: string;
}

interface Field {
  name: string;
  min: number;
  max: number;
  /** Names of the values, from `min` on. */
  names: readonly string[];
}

const minute: Field = { name: "minute", min: 0, max: 59, names: [] };
const hour: Field = { name: "hour", min: 0, max: 23, names: [] };
const day: Field = { name: "day of month", min: 1, max: 31, names: [] };
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const month: Field = { name: "month", min: 1, max: 12, names: months };
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
/** Sunday is 0 and 7. */
const weekday: Field = { name: "day of week", min: 0, max: 7, names: weekdays };

const daysOfMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const shorthands: Record<string, string> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
};
const order = "minute, hour, day of month, month, day of week";

/** Parses a cron expression with five fields, or says why it is none. */
export function parseCron(text: string): CronExpression | Unusable {
  if (text.length > textLimits.cron) return { reason: `A cron expression has at most ${textLimits.cron} characters.` };
  const parts = text.trim().split(/[ \t]+/);
  const foreign = refuseOtherNotation(text.trim(), parts);
  if (foreign) return { reason: foreign };
  const [minuteText = "", hourText = "", dayText = "", monthText = "", weekdayText = ""] = parts;
  const faults: string[] = [];
  const expression = {
    minutes: parseField(minute, minuteText, faults),
    hours: parseField(hour, hourText, faults),
    days: parseField(day, dayText, faults),
    months: parseField(month, monthText, faults),
    weekdays: distinct(parseField(weekday, weekdayText, faults).map((number) => number % 7)),
    // As cron has it: a field that begins with * restricts the other one, even with a step.
    needsBothDays: dayText.startsWith("*") || weekdayText.startsWith("*"),
    isRepeating: minuteText.startsWith("*") || hourText.startsWith("*"),
  };
  const reason = faults[0] ?? refuseImpossible(expression);
  return reason === undefined ? expression : { reason };
}

/** Refuses the notation of systemd or of other programs. */
function refuseOtherNotation(text: string, parts: readonly string[]): string | undefined {
  if (text === "") return `The cron expression is empty. Give five fields: ${order}.`;
  if (text.startsWith("@")) return refuseShorthand(text);
  const calendar = cronOfCalendar(text);
  if (calendar) return calendar;
  if (parts.length === 6 || parts.length === 7) {
    return `The expression has ${parts.length} fields. Seconds and years are not supported; give five fields: ${order}.`;
  }
  if (parts.length !== 5) {
    return `The expression has ${count(parts.length, "field")}. Give five: ${order}, such as 30 2 * * *.`;
  }
  return undefined;
}

function refuseShorthand(text: string): string {
  const form = shorthands[text.toLowerCase()];
  if (form) return `${text.toLowerCase()} is not supported. Write ${form} instead.`;
  return `Words that begin with @ are not supported. Give five fields: ${order}.`;
}

const calendarWords: Record<string, string> = {
  minutely: "* * * * *",
  hourly: "0 * * * *",
  daily: "0 0 * * *",
  weekly: "0 0 * * 1",
  monthly: "0 0 1 * *",
  quarterly: "0 0 1 1,4,7,10 *",
  semiannually: "0 0 1 1,7 *",
  yearly: "0 0 1 1 *",
  annually: "0 0 1 1 *",
};
const calendarTime =
  /^(?:(?<days>[a-z]{3,9}(?:(?:,|\.\.|-)[a-z]{3,9})*) )?(?:(?<date>(?:[\d*]+-)?[\d*/,.]+-[\d*/,.]+) )?(?<hour>[\d*/,.]+):(?<minute>[\d*/,.]+)(?::(?<second>[\d*/,.]+))?(?: (?<zone>[a-z][\w/+-]*))?$/i;
const calendarDate = /^[\d*]+-[\d*/,.]+-[\d*/,.]+$/;

/** Cron expression for a time in the notation of systemd's OnCalendar; nothing for anything else. */
function cronOfCalendar(text: string): string | undefined {
  const word = calendarWords[text.toLowerCase()];
  if (word) return calendarRefusal(word);
  const groups = calendarTime.exec(calendarDate.test(text) ? `${text} 00:00` : text)?.groups;
  if (!groups) return undefined;
  const [days = "*", months = "*", year = "*"] = (groups.date ?? "*-*").split("-").reverse();
  const weekdayText = (groups.days ?? "*").toLowerCase().replace(/([a-z]{3})[a-z]*/g, "$1");
  const fields = [
    [minute, groups.minute ?? "0"],
    [hour, groups.hour ?? "0"],
    [day, days],
    [month, months],
    [weekday, weekdayText],
  ] as const;
  const form = fields.map(([field, part]) => fromCalendar(field, part)).join(" ");
  // Cron has neither years nor seconds.
  const isUsable = year === "*" && /^0*$/.test(groups.second ?? "0") && !("reason" in parseCron(form));
  return calendarRefusal(isUsable ? form : undefined, groups.zone);
}

function calendarRefusal(form: string | undefined, zone?: string): string {
  const instead = form ? `Write ${form} instead` : `Give five fields: ${order}, such as 30 2 * * *`;
  const inZone = zone ? `, and ${zone} as time_zone` : "";
  return `This is the notation of systemd's OnCalendar, which is not supported. ${instead}${inZone}.`;
}

/** A part of OnCalendar in the notation of cron: `1..5` is `1-5`, `0/15` is `0-59/15`, `02` is `2`. */
function fromCalendar(field: Field, part: string): string {
  return part
    .split(",")
    .map((one) => one.replace("..", "-").replace(/^(\d+)\//, `$1-${field.max}/`))
    .map((one) => one.replace(/\b0+(\d)/g, "$1"))
    .join(",");
}

/** The values that a field allows, in order. Adds a fault where it is wrong. */
function parseField(field: Field, text: string, faults: string[]): number[] {
  const values = text.split(",").flatMap((part) => {
    const parsed = parsePart(field, part);
    if (typeof parsed !== "string") return parsed;
    faults.push(`In the field ${field.name}, ${parsed}`);
    return [];
  });
  return distinct(values);
}

function distinct(values: readonly number[]): number[] {
  return [...new Set(values)].sort((one, other) => one - other);
}

/** The values of one part of a list, or what is wrong with it. */
function parsePart(field: Field, part: string): number[] | string {
  const [range = "", stepText, ...more] = part.split("/");
  if (part === "") return "a value is missing.";
  if (more.length > 0) return `${quote(part)} has more than one step.`;
  const ends = range.split("-");
  const isStar = range === "*";
  if (ends.length > 2) return notUnderstood(field, part);
  const [from, until = from] = isStar
    ? [field.min, field === weekday ? 6 : field.max]
    : ends.map((end) => readValue(field, end));
  if (from === undefined || until === undefined) return notUnderstood(field, part);
  if (from > until) return refuseBackwards(field, part, from, until);
  const step = stepText === undefined ? 1 : stepOf(field, stepText);
  if (step === undefined) return `${quote(part)} needs a step from 1 to ${field.max}.`;
  if (stepText !== undefined && !isStar && ends.length === 1) {
    return `${quote(part)} has a step without a range. Write ${from}-${field.max}/${step} instead.`;
  }
  return Array.from({ length: Math.floor((until - from) / step) + 1 }, (_, index) => from + index * step);
}

function readValue(field: Field, text: string): number | undefined {
  const named = field.names.indexOf(text.toLowerCase());
  if (named >= 0) return named + field.min;
  const value = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  return value >= field.min && value <= field.max ? value : undefined;
}

function stepOf({ max }: Field, text: string): number | undefined {
  const step = /^\d{1,2}$/.test(text) ? Number(text) : 0;
  return step >= 1 && step <= max ? step : undefined;
}

function notUnderstood(field: Field, part: string): string {
  const { name, min, max, names } = field;
  if (part === "?") return "? is not supported. Write * for every value.";
  if ((field === day || field === weekday) && /^(L|LW|L-\d+|\d+W|W|\w+L|\w+#\w+)$/i.test(part)) {
    return `${quote(part)} is not supported: L, W and # are not known to cron.`;
  }
  const first = names[0];
  const orNames = first ? `, or names from ${first} to ${names.at(-1)}` : "";
  return `${quote(part)} is no ${name}. Give numbers from ${min} to ${max}${orNames}, with *, lists, ranges and steps.`;
}

function refuseBackwards(field: Field, part: string, from: number, until: number): string {
  if (field === weekday && until === 0)
    return `the range ${quote(part)} runs backwards. Write ${from}-7: 7 is Sunday, too.`;
  return `the range ${quote(part)} runs backwards. Write ${from}-${field === weekday ? 6 : field.max},${field.min}-${until} instead.`;
}

/** A date that no year has, such as 31 February. */
function refuseImpossible({ days, months, needsBothDays }: CronExpression): string | undefined {
  const isPossible = months.some((one) => days.some((day) => day <= (daysOfMonth[one - 1] ?? 0)));
  if (isPossible || !needsBothDays) return undefined;
  return "No year has such a date: none of these months has such a day.";
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
