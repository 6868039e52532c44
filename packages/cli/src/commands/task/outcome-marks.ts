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

export const outcomeTones: Record<Outcome, Tone> = {
  success: "good",
  warning: "warning",
  error: "bad",
  cancelled: "quiet",
  lost: "bad",
  expired: "bad",
  missed: "bad",
};

/** How the last runs ended, oldest first, as a row of marks. */
export function outcomeMarks(runs: readonly { outcome: Outcome }[]): string {
  return runs.map(({ outcome }) => marks[outcome]).join("") || "-";
}
