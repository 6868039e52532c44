import { findTimeZone, type TimeZone } from "../../tasks/task-counts/time-zone";
import { type CronCalendar, createCalendar } from "./cron-calendar";
import { parseCron, type Unusable } from "./cron-expression";

/** When runs are expected: at times of the clock, or so many milliseconds after the beginning of the last one. */
export type Schedule =
  | { kind: "cron"; calendar: CronCalendar; zone: TimeZone; isRepeating: boolean }
  | { kind: "period"; period: number };

/** A schedule as a monitor has it. */
export type ScheduleText = { cron: string; time_zone?: string | undefined } | { period_seconds: number };

/** Reads a schedule, or says why it cannot be one, and which of its fields is wrong. */
export function parseSchedule(text: ScheduleText): Schedule | (Unusable & { field: "cron" | "time_zone" }) {
  if ("period_seconds" in text) return { kind: "period", period: text.period_seconds * 1000 };
  const expression = parseCron(text.cron);
  if ("reason" in expression) return { ...expression, field: "cron" };
  const name = text.time_zone ?? "UTC";
  const zone = findTimeZone(name);
  if (!zone) {
    const reason = `There is no time zone ${JSON.stringify(name.slice(0, 64))}. Give a name of the IANA database, such as Europe/Berlin.`;
    return { reason, field: "time_zone" };
  }
  return { kind: "cron", calendar: createCalendar(expression), zone, isRepeating: expression.isRepeating };
}
