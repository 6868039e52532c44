const minuteLength = 60_000;
const hourMinutes = 60;
const dayMinutes = 1_440;

/** A time of a cycle as a cron expression: every so many minutes, from a minute of the cycle on. */
export function cycleExpression(cycleMinutes: number, startMinute: number): string {
  const minute = startMinute % hourMinutes;
  const hour = Math.floor(startMinute / hourMinutes);
  if (cycleMinutes < hourMinutes) return `${steps(minute % cycleMinutes, 59, cycleMinutes)} * * * *`;
  if (cycleMinutes === hourMinutes) return `${minute} * * * *`;
  if (cycleMinutes < dayMinutes) return `${minute} ${steps(hour, 23, cycleMinutes / hourMinutes)} * * *`;
  return `${minute} ${hour} * * *`;
}

function steps(from: number, until: number, step: number): string {
  return from === 0 ? `*/${step}` : `${from}-${until}/${step}`;
}

/** A time of day on some days of the week, Sunday being 0, as a cron expression. */
export function weekdayExpression(startMinute: number, days: readonly number[]): string {
  const minute = startMinute % hourMinutes;
  return `${minute} ${Math.floor(startMinute / hourMinutes)} * * ${daysOfWeek(days)}`;
}

function daysOfWeek(days: readonly number[]): string {
  const [first = 0] = days;
  const last = days.at(-1) ?? first;
  return days.length > 2 && last - first === days.length - 1 ? `${first}-${last}` : days.join(",");
}

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Describes a cycle in words: "every day at 02:00", "every 15 minutes". */
export function cycleWords(cycleMinutes: number, startMinute: number): string {
  const minute = String(startMinute % hourMinutes).padStart(2, "0");
  if (cycleMinutes < hourMinutes) return `every ${cycleMinutes} minutes`;
  if (cycleMinutes === hourMinutes) return `every hour at minute ${minute}`;
  if (cycleMinutes < dayMinutes) return `every ${cycleMinutes / hourMinutes} hours at minute ${minute}`;
  return `every day at ${clockOf(startMinute)}`;
}

export function weekdayWords(startMinute: number, days: readonly number[]): string {
  const isRange = daysOfWeek(days).includes("-");
  const names = days.map((day) => dayNames[day] ?? "");
  const listed = isRange ? `${names[0]} to ${names.at(-1)}` : names.join(", ");
  return `every ${listed} at ${clockOf(startMinute)}`;
}

function clockOf(minutes: number): string {
  return [Math.floor(minutes / hourMinutes), minutes % hourMinutes]
    .map((part) => String(part).padStart(2, "0"))
    .join(":");
}

/** A length of time in words, rounded up to minutes from one minute on: "12 minutes". */
export function lengthWords(milliseconds: number): string {
  if (milliseconds < minuteLength) return count(Math.ceil(milliseconds / 1000), "second");
  const minutes = Math.ceil(milliseconds / minuteLength);
  if (minutes < 2 * hourMinutes) return count(minutes, "minute");
  const hours = Math.round(minutes / 6) / 10;
  return hours < 48 ? count(hours, "hour") : count(Math.round(hours / 2.4) / 10, "day");
}

function count(number: number, unit: string): string {
  return `${number} ${unit}${number === 1 ? "" : "s"}`;
}
