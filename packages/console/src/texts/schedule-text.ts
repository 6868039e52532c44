import { everyText } from "./durations";

/** When the runs of a monitor are expected. */
type Schedule = { cron: string; time_zone: string } | { period_seconds: number } | null;

/** When runs are expected, exactly: `30 2 * * * (Europe/Berlin)`. */
export function scheduleText(schedule: Schedule): string {
  if (schedule === null) return "nothing is expected";
  if ("cron" in schedule) return `${schedule.cron} (${schedule.time_zone})`;
  return everyText(schedule.period_seconds);
}

/** When runs are expected, for people: `every day at 02:30`. An expression that is not as simple stays as it is. */
export function scheduleWords(schedule: Schedule): string {
  return schedule !== null && "cron" in schedule ? cronWords(schedule.cron) : scheduleText(schedule);
}

/** By whose clock: `Europe/Berlin`. Nothing where no clock is read. */
export function zoneWords(schedule: Schedule): string {
  return schedule !== null && "cron" in schedule ? schedule.time_zone.replaceAll("_", " ") : "";
}

const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];

function cronWords(cron: string): string {
  const [minute = "", hour = "", ofMonth = "", month = "", ofWeek = "", ...more] = cron.trim().split(/\s+/);
  const isPlain = (field: string) => /^\d{1,2}$/.test(field);
  if (more.length > 0 || month !== "*" || !isPlain(minute)) return cron;
  if (hour === "*" && ofMonth === "*" && ofWeek === "*") return `every hour at :${minute.padStart(2, "0")}`;
  if (!isPlain(hour)) return cron;
  const time = `${hour.padStart(2, "0")}:${minute.padStart(2, "0")}`;
  if (ofMonth === "*" && ofWeek === "*") return `every day at ${time}`;
  if (ofWeek === "*" && isPlain(ofMonth)) return `on day ${ofMonth} of each month at ${time}`;
  if (ofMonth === "*" && /^(1-5|MON-FRI)$/i.test(ofWeek)) return `Monday to Friday at ${time}`;
  const day = dayOf(ofWeek);
  return ofMonth === "*" && day !== undefined ? `every ${day} at ${time}` : cron;
}

function dayOf(field: string): string | undefined {
  if (/^[0-7]$/.test(field)) return days[Number(field)];
  return /^[a-z]{3}$/i.test(field)
    ? days.find((day) => day.slice(0, 3).toUpperCase() === field.toUpperCase())
    : undefined;
}
