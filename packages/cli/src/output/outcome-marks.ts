import { outcomeWords, type TaskOutcome } from "@holdfast/api/resources/task-words";
import type { Tone } from "../terminal/colours";

/** One character per outcome, which differs without colours, too. */
const marks: Record<TaskOutcome, string> = {
  success: "✓",
  warning: "!",
  error: "✗",
  cancelled: "·",
  lost: "?",
  expired: "e",
  missed: "m",
};

export const outcomeTones: Record<TaskOutcome, Tone> = {
  success: "good",
  warning: "warning",
  error: "bad",
  cancelled: "quiet",
  lost: "bad",
  expired: "bad",
  missed: "bad",
};

/** The word for an outcome; one that is newer than this program, and what is none, as it is. */
export function wordOf(outcome: string): string {
  const words: Readonly<Record<string, string>> = outcomeWords;
  return words[outcome] ?? outcome.replaceAll("_", " ");
}

/** Row of marks for the endings of the last runs, oldest first. */
export function outcomeMarks(runs: readonly { outcome: TaskOutcome }[]): string {
  return runs.map(({ outcome }) => marks[outcome]).join("") || "-";
}
