import type { taskOutcomes } from "@holdfast/api/resources/task-words";
import type { Tone } from "../../terminal/colours";

type Outcome = (typeof taskOutcomes)[number];

/** One character per outcome, which can be told apart without colours. */
const marks: Record<Outcome, string> = {
  success: "✓",
  warning: "!",
  error: "✗",
  cancelled: "·",
  lost: "?",
  expired: "e",
  missed: "m",
};

/** What people call the outcomes: the same words as in the console. */
export const outcomeWords: Record<Outcome, string> = {
  success: "Success",
  warning: "Incomplete",
  error: "Error",
  cancelled: "Cancelled",
  lost: "Lost",
  expired: "Expired",
  missed: "Missed",
};

export const outcomeTones: Record<Outcome, Tone> = {
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

/** How the last runs ended, oldest first, as a row of marks. */
export function outcomeMarks(runs: readonly { outcome: Outcome }[]): string {
  return runs.map(({ outcome }) => marks[outcome]).join("") || "-";
}
