/** A cron expression for the time that clocks in a zone show at a moment: every day, every week or every month. */
export function cronAt(at: number, timeZone: string, every: "day" | "week" | "month"): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hourCycle: "h23",
    hour: "numeric",
    minute: "numeric",
    day: "numeric",
    weekday: "short",
  }).formatToParts(at);
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((one) => one.type === type)?.value ?? "";
  const time = `${Number(part("minute"))} ${Number(part("hour"))}`;
  if (every === "day") return `${time} * * *`;
  // Every month has a 28th.
  return every === "week"
    ? `${time} * * ${part("weekday").toUpperCase()}`
    : `${time} ${Math.min(28, Number(part("day")))} * *`;
}
