/** A moment to the minute, UTC, as tables show it. */
export function minute(timestamp: string | null | undefined): string {
  return timestamp ? timestamp.slice(0, 16).replace("T", " ") : "-";
}

const units = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["m", 60_000],
  ["s", 1_000],
] as const;

/** Formats a duration with its two largest units: 3h 20m. */
export function duration(milliseconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(milliseconds / 1000) * 1000);
  for (const [unit, length] of units) {
    const count = Math.floor(rest / length);
    rest -= count * length;
    if (count > 0) parts.push(`${count}${unit}`);
    if (parts.length === 2) break;
  }
  return parts.join(" ") || "0s";
}

/** Formats the time since a moment, or until it. */
export function ago(timestamp: string | null | undefined, now: number): string {
  if (!timestamp) return "never";
  const passed = now - Date.parse(timestamp);
  return passed >= 0 ? `${duration(passed)} ago` : `in ${duration(-passed)}`;
}
