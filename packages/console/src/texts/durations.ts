const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** Formats a duration: `8 m 43 s`, `2 h 5 m`, `3 d 4 h`. */
export function durationText(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < 50) return "0 s";
  if (length < second) return `${(length / second).toFixed(1)} s`;
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return pair(length, minute, "m", second, "s");
  if (length < day) return pair(length, hour, "h", minute, "m");
  return pair(length, day, "d", hour, "h");
}

function pair(length: number, large: number, largeName: string, small: number, smallName: string): string {
  const rest = Math.floor((length % large) / small);
  const whole = `${Math.floor(length / large)} ${largeName}`;
  return rest === 0 ? whole : `${whole} ${String(rest).padStart(smallName === "h" ? 1 : 2, "0")} ${smallName}`;
}

/** Formats an interval: `every hour`, `every 3 days`. */
export function everyText(seconds: number): string {
  const names: Readonly<Record<number, string>> = { 3600: "hour", 86400: "day", 604800: "week" };
  return `every ${names[seconds] ?? roughDuration(seconds * second)}`;
}

/** Formats an elapsed time roughly: `4 min`, `2 h`, `3 days`. */
export function roughDuration(milliseconds: number): string {
  const length = Math.max(0, milliseconds);
  if (length < minute) return `${Math.floor(length / second)} s`;
  if (length < hour) return `${Math.floor(length / minute)} min`;
  if (length < day) return `${Math.floor(length / hour)} h`;
  const days = Math.floor(length / day);
  return days === 1 ? "1 day" : `${days} days`;
}
