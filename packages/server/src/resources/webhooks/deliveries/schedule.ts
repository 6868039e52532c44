const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Delay between a failure and the next attempt. After the last one it is given up. */
const delays = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
] as const;
/** By chance, so that what failed together is not tried together. */
const spread = 0.2;
const maxRetryAfterMs = 24 * hour;

/** When to try again after so many failures; nothing where it is given up. Not before what the receiver has asked for. */
export function nextAttempt(
  failures: number,
  { now, retryAfter, chance }: { now: number; retryAfter: string | null; chance: number },
): number | undefined {
  const delay = delays[failures - 1];
  if (delay === undefined) return undefined;
  const scheduled = Math.round(delay * (1 + spread * (2 * chance - 1)));
  return now + Math.max(scheduled, readRetryAfter(retryAfter, now));
}

/** Delay that a receiver asks for, in milliseconds: a number of seconds, or a date. */
function readRetryAfter(text: string | null, now: number): number {
  if (text === null) return 0;
  const wanted = /^[0-9]{1,9}$/.test(text) ? Number(text) * second : Date.parse(text) - now;
  return wanted > 0 ? Math.min(wanted, maxRetryAfterMs) : 0;
}
