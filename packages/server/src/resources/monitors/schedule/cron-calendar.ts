import { Cron } from "croner";
import type { CronExpression } from "./cron-expression";

/** The dates of a cron expression, as times that clocks show: written as if they showed UTC. */
export interface CronCalendar {
  /** The first one after a time; nothing if there is none. */
  after(wall: number): number | undefined;
  /** The last one before a time. */
  before(wall: number): number | undefined;
}

const minuteLength = 60_000;
const dayLength = 86_400_000;
/** Leap days that have to be a certain day of the week are up to 40 years apart. */
const maxDaysBack = 41 * 366;

/**
 * Finds the dates of an expression. The library is given plain lists and no zone: what it makes of changes of the clock is not
 * what is expected of cron. It finds no leap day in the past, so looking back is our own.
 */
export function createCalendar(expression: CronExpression): CronCalendar {
  const { minutes, hours, days, months, weekdays, needsBothDays } = expression;
  const pattern = [minutes, hours, days, months, weekdays].map((values) => values.join(",")).join(" ");
  const cron = new Cron(pattern, { utcOffset: 0, mode: "5-part", domAndDow: needsBothDays, paused: true });
  return {
    after: (wall) => cron.nextRun(new Date(Math.floor(wall / minuteLength) * minuteLength))?.getTime(),
    before(wall) {
      let date = new Date(Math.floor(wall / dayLength) * dayLength);
      for (let count = 0; count < maxDaysBack; count++) {
        const time = hasDay(expression, date) ? lastTime(expression, wall - date.getTime()) : undefined;
        if (time !== undefined) return date.getTime() + time;
        date = new Date(date.getTime() - dayLength);
      }
      return undefined;
    },
  };
}

function hasDay({ days, months, weekdays, needsBothDays }: CronExpression, date: Date): boolean {
  if (!months.includes(date.getUTCMonth() + 1)) return false;
  const isDay = days.includes(date.getUTCDate());
  const isWeekday = weekdays.includes(date.getUTCDay());
  return needsBothDays ? isDay && isWeekday : isDay || isWeekday;
}

/** The last time of a day before another, both since midnight. */
function lastTime({ minutes, hours }: CronExpression, before: number): number | undefined {
  for (const hour of hours.toReversed()) {
    const minute = minutes.findLast((one) => (hour * 60 + one) * minuteLength < before);
    if (minute !== undefined) return (hour * 60 + minute) * minuteLength;
  }
  return undefined;
}
