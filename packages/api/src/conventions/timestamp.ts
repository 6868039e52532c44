/** A moment as milliseconds since 1970, and whether the text had a fraction finer than that. */
export interface Moment {
  milliseconds: number;
  isRoundedDown: boolean;
}

const shape = /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,30}))?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/**
 * Reads an RFC 3339 timestamp, with `Z` or an offset.
 * @example parseTimestamp("2026-11-01T02:00:00+02:00") // { milliseconds: 1793491200000, isRoundedDown: false }
 */
export function parseTimestamp(text: string): Moment | undefined {
  const match = shape.exec(text);
  if (!match) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const fraction = (match[7] ?? "").padEnd(3, "0");
  const offsetHours = Number(match[9] ?? 0);
  const offsetMinutes = Number(match[10] ?? 0);
  if (hour > 23 || minute > 59 || second > 60 || offsetHours > 23 || offsetMinutes > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined;
  date.setUTCHours(hour, minute, second, Number(fraction.slice(0, 3)));
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000 * (match[8] === "-" ? -1 : 1);
  const milliseconds = date.getTime() - offset;
  // A leap second is only ever the last second of a UTC day.
  if (second === 60 && Math.floor(milliseconds / 1000) % 86_400 !== 0) return undefined;
  return { milliseconds, isRoundedDown: /[1-9]/.test(fraction.slice(3)) };
}

/** Writes a moment as the API does: ISO 8601, UTC, milliseconds. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
