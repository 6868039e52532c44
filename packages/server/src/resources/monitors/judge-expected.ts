import type { UnwatchedTime } from "./listening";
import { type ExpectedRun, earlyBy, nextExpected } from "./schedule/expected-run";
import type { Schedule } from "./schedule/schedule";

// Verdicts on expected runs. Its functions are pure: from what is expected, and when the service did not listen.

/** Time after the last moment of a run before it counts as missed, in milliseconds: what came in time may still be being written. */
export const settling = 5_000;
/** So many misses in a row are a task each. After that there is one a day. */
const maxTasksInARow = 24;
const dayLength = 86_400_000;
/** Maximum number of runs that are judged at once: the rest comes with the next sweep. */
const maxBatchSize = 100;

/** Expectation of a monitor, and its state so far. Times are milliseconds. */
export interface Awaited {
  schedule: Schedule;
  /** The run that is waited for. */
  run: ExpectedRun;
  grace: number;
  /** Nothing before it counts: the monitor was made, its schedule was changed or its pause ended then. */
  watchedFrom: number;
  missedInARow: number;
  /** When the last task about a miss was made; null if there is none. */
  lastMissAt: number | null;
}

/** An expected run that did not come. */
export interface Miss {
  expectedAt: number;
  /** When that was certain: the end of the grace. */
  at: number;
  /** Number of misses in a row. */
  inARow: number;
  /** True if it gets a task. */
  hasTask: boolean;
}

export interface Judged {
  misses: Miss[];
  /** The run that is waited for now; nothing if none is expected any more. */
  next: ExpectedRun | undefined;
  missedInARow: number;
  /** The last expected run of which is not known whether it came; null if there was none. */
  unwatchedAt: number | null;
}

/** Judges the expected runs of a monitor whose time is over, and gives what is expected after that. */
export function judgeExpected(awaited: Awaited, unwatched: readonly UnwatchedTime[], now: number): Judged {
  const { schedule, grace } = awaited;
  const judged: Judged = { misses: [], next: awaited.run, missedInARow: awaited.missedInARow, unwatchedAt: null };
  let { lastMissAt } = awaited;
  for (let count = 0; count < maxBatchSize && judged.next; count++) {
    const run: ExpectedRun = judged.next;
    const at = run.graceFrom + grace;
    if (at + settling > now) break;
    const from = Math.max(run.at - earlyBy(run, grace), awaited.watchedFrom);
    const blindUntil = unwatchedWithin(unwatched, from, at);
    if (blindUntil !== undefined) {
      judged.unwatchedAt = run.at;
      judged.next = afterUnwatchedTime(schedule, run, blindUntil, grace);
      continue;
    }
    judged.missedInARow += 1;
    const hasTask = judged.missedInARow <= maxTasksInARow || lastMissAt === null || at - lastMissAt >= dayLength;
    judged.misses.push({ expectedAt: run.at, at, inARow: judged.missedInARow, hasTask });
    if (hasTask) lastMissAt = at;
    judged.next = nextExpected(schedule, run.at);
  }
  return judged;
}

/** Until when nothing could be heard within a time; undefined if all of it was watched. */
function unwatchedWithin(unwatched: readonly UnwatchedTime[], from: number, until: number): number | undefined {
  const blind = unwatched.filter((time) => time.from < until && time.until > from);
  return blind.length === 0 ? undefined : Math.max(...blind.map((time) => time.until));
}

/** Expectation after a time in which a run may have come unheard. */
function afterUnwatchedTime(
  schedule: Schedule,
  run: ExpectedRun,
  blindUntil: number,
  grace: number,
): ExpectedRun | undefined {
  // A run that came unheard has moved the next one by a whole period.
  if (schedule.kind === "period") return nextExpected(schedule, Math.max(blindUntil, run.at));
  // All whose grace ended meanwhile are as unknown as this one.
  let next = nextExpected(schedule, Math.max(run.at, blindUntil - grace - maxShiftMs));
  while (next && next.graceFrom + grace <= blindUntil) next = nextExpected(schedule, next.at);
  return next;
}

/** Grace begins later than a run is expected by no more than a change of the clock. */
const maxShiftMs = 3 * 3_600_000;
