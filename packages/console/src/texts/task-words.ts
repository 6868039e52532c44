import {
  type Liveness,
  outcomeWords,
  type TaskCategory,
  type TaskOutcome,
  type TaskStatus,
} from "@holdfast/api/resources/task-words";
import type { Task } from "@holdfast/client";
import { inZone } from "./times";

/** The looks that a state can have; each is a shape and a colour. */
export type Mark =
  | "good"
  | "incomplete"
  | "error"
  | "lost"
  | "missed"
  | "stale"
  | "expired"
  | "running"
  | "aborting"
  | "queued"
  | "cancelled"
  | "neutral";

export const statusWords: Readonly<Record<TaskStatus, string>> = {
  queued: "Queued",
  in_progress: "Running",
  aborting: "Aborting",
  completed: "Completed",
  failed: "Failed",
  aborted: "Aborted",
};

export const categoryWords: Readonly<Record<TaskCategory, string>> = {
  backup: "Backup",
  restore: "Restore",
  snapshot: "Snapshot",
  snapshot_restore: "Snapshot restore",
  system: "System",
  report_generation: "Report",
  management: "Management",
};

export const livenessWords: Readonly<Record<Liveness, string>> = {
  silent: "Silent",
  overdue: "Over time",
  stalled: "Stalled",
};

export const livenessReasons: Readonly<Record<Liveness, string>> = {
  silent: "Nothing is heard of its runner.",
  overdue: "It takes longer than it should.",
  stalled: "It comes no further.",
};

const outcomeMarks: Readonly<Record<TaskOutcome, Mark>> = {
  success: "good",
  warning: "incomplete",
  error: "error",
  cancelled: "cancelled",
  lost: "lost",
  expired: "expired",
  missed: "missed",
};

const statusMarks: Readonly<Partial<Record<TaskStatus, Mark>>> = {
  queued: "queued",
  in_progress: "running",
  aborting: "aborting",
};

export interface Shown {
  mark: Mark;
  word: string;
}

/** Look of a task: by its outcome once it has ended, by its status until then. */
export function describeTask({ status, outcome }: { status: TaskStatus; outcome: TaskOutcome | null }): Shown {
  if (outcome !== null) return describeOutcome(outcome);
  return { mark: statusMarks[status] ?? "neutral", word: wordOf(statusWords, status) };
}

function describeOutcome(outcome: TaskOutcome): Shown {
  return { mark: outcomeMarks[outcome] ?? "neutral", word: wordOf(outcomeWords, outcome) };
}

/** The word for a value. One that is newer than this console is shown as it is. */
export function wordOf(words: Readonly<Record<string, string>>, value: string): string {
  return words[value] ?? value;
}

/** Reason why a task did not end well. Times in the sentence about a missed run are in the zone of the viewer. */
export function reasonOf({ outcome, error }: Pick<Task, "outcome" | "error">, zone: string): string {
  const message = error?.message ?? "";
  return outcome === "missed" ? inZone(message, zone) : message;
}

/** True if a task has not ended. */
export function isUnfinished({ status }: { status: TaskStatus }): boolean {
  return status === "queued" || status === "in_progress" || status === "aborting";
}
