import { judgeExpected } from "../judge-expected";
import { type ExpectedRun, expectedAfterRun } from "../schedule/expected-run";
import type { Schedule } from "../schedule/schedule";

/**
 * Returns true if a monitor with a schedule and a grace would have called a run missed between runs that did come. Judges with the
 * rule that judges monitors, so that a suggestion cannot promise what the service does not keep. Times are milliseconds.
 */
export function wouldHaveMissed(schedule: Schedule, grace: number, begun: readonly number[]): boolean {
  const [first, ...others] = begun;
  if (first === undefined) return false;
  let next: ExpectedRun | undefined = expectedAfterRun(schedule, first, grace);
  for (const at of others) {
    if (!next) return false;
    const awaited = { schedule, run: next, grace, watchedFrom: first, missedInARow: 0, lastMissAt: null };
    if (judgeExpected(awaited, [], at).misses.length > 0) return true;
    const after = expectedAfterRun(schedule, at, grace);
    if (after && after.at > next.at) next = after;
  }
  return false;
}
