import type { Monitor } from "../../data/protection";
import { everyText } from "../../texts/durations";

/** When runs are expected, for people. */
export function scheduleText(schedule: Monitor["schedule"]): string {
  if (schedule === null) return "nothing is expected";
  if ("cron" in schedule) return `${schedule.cron} (${schedule.time_zone})`;
  return everyText(schedule.period_seconds);
}
