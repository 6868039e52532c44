import { describeMissedRun } from "@holdfast/api/resources/missed-run";
import type { Course } from "./course";
import { type Fault, faultOf } from "./faults";

const neverStarted = { startedAt: null, heardAt: null, progressedAt: null, progress: 0 } as const;

/** A run from its beginning to its end. */
interface Run {
  at: number;
  endedAt: number;
}

export function succeeded({ at, endedAt }: Run): Course {
  const ended = { endedAt, heardAt: endedAt, progressedAt: endedAt, progress: 100 };
  return { status: "completed", outcome: "success", fault: null, startedAt: at, ...ended };
}

export function incomplete(run: Run): Course {
  return { ...succeeded(run), outcome: "warning", fault: faultOf("files_unreadable") };
}

export function failed({ at, endedAt }: Run, fault: Fault): Course {
  const stopped = { startedAt: at, endedAt, heardAt: endedAt, progressedAt: at, progress: 12 };
  return { status: "failed", outcome: "error", fault, ...stopped };
}

/** A run whose runner was not heard of any more, long before that was noticed. */
export function lost({ at, endedAt }: Run): Course {
  const heardAt = Math.max(at, endedAt - 15 * 60_000);
  return { ...failed({ at, endedAt }, faultOf("runner_lost")), outcome: "lost", heardAt, progress: 41 };
}

/** Course of a run that did not come: at the end of the grace. */
export function missed(expectedAt: number, at: number): Course {
  const { code, remedy } = faultOf("expected_run_missing");
  const message = describeMissedRun(expectedAt, at);
  return { ...neverStarted, status: "failed", outcome: "missed", fault: { code, message, remedy }, endedAt: at };
}

export function expired(at: number, waited: number): Course {
  const fault = faultOf("not_started_in_time");
  return { ...neverStarted, status: "failed", outcome: "expired", fault, endedAt: at + waited };
}

export function cancelled({ at, endedAt }: Run): Course {
  const stopped = { startedAt: at, endedAt, heardAt: endedAt, progressedAt: endedAt, progress: 8 };
  return { status: "aborted", outcome: "cancelled", fault: null, ...stopped };
}

export function underWay(at: number, now: number, status: "in_progress" | "aborting"): Course {
  const heard = { heardAt: now - 4_000, progressedAt: now - 19_000 };
  return { status, outcome: null, fault: null, startedAt: at, endedAt: null, ...heard, progress: 57 };
}

export const waitsForRunner: Course = {
  ...neverStarted,
  status: "queued",
  outcome: null,
  fault: null,
  endedAt: null,
};
