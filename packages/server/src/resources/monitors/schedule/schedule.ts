import { quote } from "@holdfast/api/conventions/api-error";
import { findTimeZone, type TimeZone } from "../../tasks/counts/time-zone";
import { type CronCalendar, createCalendar } from "./cron-calendar";
import { parseCron, type Unusable } from "./cron-expression";

/** Runs are expected at times of the clock. */
export interface CronSchedule {
  kind: "cron";
  calendar: CronCalendar;
  zone: TimeZone;
  isRepeating: boolean;
}

/** When runs are expected: at times of the clock, or so many milliseconds after the beginning of the last one. */
export type Schedule = CronSchedule | { kind: "period"; period: number };

/** A schedule as a monitor has it. */
export type ScheduleText = { cron: string; time_zone?: string | undefined } | { period_seconds: number };

/** Why something is no schedule, and which of its fields is wrong. */
export type UnusableSchedule = Unusable & { field: "cron" | "time_zone" };

/** Reads a schedule, or says why it cannot be one. */
export function parseSchedule(text: ScheduleText): Schedule | UnusableSchedule {
  if ("period_seconds" in text) return { kind: "period", period: text.period_seconds * 1000 };
  return parseCronSchedule(text.cron, text.time_zone ?? "UTC");
}

/** Reads a cron expression and the name of its time zone, or says why they cannot be a schedule. */
export function parseCronSchedule(cron: string, timeZone: string): CronSchedule | UnusableSchedule {
  const expression = parseCron(cron);
  if ("reason" in expression) return { ...expression, field: "cron" };
  const zone = findTimeZone(timeZone);
  if (!zone) {
    const reason = `There is no time zone ${quote(timeZone)}. Give a name of the IANA database, such as Europe/Berlin.`;
    return { reason, field: "time_zone" };
  }
  return { kind: "cron", calendar: createCalendar(expression), zone, isRepeating: expression.isRepeating };
}
