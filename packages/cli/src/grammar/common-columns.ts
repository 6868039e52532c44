import type { TaskOutcome } from "@holdfast/api/resources/task-words";
import type { Names } from "../lookups/names";
import { outcomeMarks } from "../output/outcome-marks";
import type { Column } from "../output/table";

/** The column with the organizational unit of what is listed: its id for programs, its path for people. */
export function unitColumn<Row extends { organizational_unit_id: string }>(units: Names): Column<Row> {
  return {
    name: "organizational_unit_id",
    isExtra: true,
    title: "UNIT",
    value: (row) => row.organizational_unit_id,
    text: (row) => units.of(row.organizational_unit_id),
    canShrink: true,
  };
}

/** The column with how the last runs ended: words for programs, marks for people. */
export function lastRunsColumn<Row extends { recent_outcomes: readonly { outcome: TaskOutcome }[] }>(): Column<Row> {
  return {
    name: "recent_outcomes",
    isExtra: true,
    title: "LAST RUNS",
    value: ({ recent_outcomes }) => recent_outcomes.map(({ outcome }) => outcome).join(" "),
    text: ({ recent_outcomes }) => outcomeMarks(recent_outcomes.slice(-10)),
  };
}
