/** A stretch of time in which tasks were created, milliseconds since 1970; its end is not part of it. */
export interface TimeRange {
  from: number;
  until: number;
}

/** All times at which a task can have been created. */
export const allTime: TimeRange = { from: 0, until: 253_402_300_800_000 };

/** The time that two ranges have in common. */
export function commonTime(one: TimeRange, other: TimeRange): TimeRange {
  return { from: Math.max(one.from, other.from), until: Math.min(one.until, other.until) };
}

export function isEmpty({ from, until }: TimeRange): boolean {
  return from >= until;
}
