import { outcomeWords } from "@holdfast/api/resources/task-words";
import type { Task } from "@holdfast/client";
import type { Names } from "../../lookups/names";
import { type ColumnSpec, columnsOf, hidden } from "../../output/columns";
import { duration, minute } from "../../output/moments";
import { outcomeTones } from "../../output/outcome-marks";
import type { ItemShape } from "../../output/print-items";
import type { Tone } from "../../terminal/colours";

/** State of a task: its progress while it runs, then how it ended. */
export function stateOf({ status, outcome, progress_percentage, liveness }: Task): string {
  if (status === "in_progress" || status === "aborting") {
    return [status === "aborting" ? "aborting" : `${progress_percentage} %`, ...(liveness ? [liveness] : [])].join(
      ", ",
    );
  }
  return outcome === null ? status : outcomeWords[outcome];
}

export function toneOf({ status, outcome, liveness }: Task): Tone | undefined {
  if (outcome !== null) return outcomeTones[outcome];
  return liveness ? "warning" : status === "queued" ? "quiet" : "active";
}

/** Duration of a task, until now if it has not ended. Of a lost one, only its last sign of life is known. */
export function lengthOf({ start_timestamp, end_timestamp, outcome }: Task, now: number): string {
  if (start_timestamp === null) return "-";
  const length = duration((end_timestamp === null ? now : Date.parse(end_timestamp)) - Date.parse(start_timestamp));
  return outcome === "lost" ? `≥ ${length}` : length;
}

/** So many characters of an id are shown at least. */
const shortest = 8;

/** The beginnings of ids: as many characters as tell the tasks of a table apart. */
export function shortIds(tasks: readonly Pick<Task, "id">[]): (task: Pick<Task, "id">) => string {
  const ids = new Set(tasks.map(({ id }) => id));
  let length = shortest;
  while (new Set([...ids].map((id) => id.slice(0, length))).size < ids.size) length += 1;
  return ({ id }) => id.slice(0, length);
}

/** Moments without the year, where it is the same for all. */
function withoutYear(tasks: readonly Task[]): (task: Task) => string {
  const isOneYear = new Set(tasks.map(({ created_timestamp }) => created_timestamp.slice(0, 4))).size === 1;
  return ({ created_timestamp }) => minute(created_timestamp).slice(isOneYear ? 5 : 0);
}

/** Columns of a table of tasks. */
export function taskColumns(): ColumnSpec<Task>[] {
  const now = Date.now();
  return [
    { name: "created_timestamp", narrow: withoutYear },
    { name: "type", canShrink: true },
    {
      name: "entity",
      title: "ITEM",
      value: (task) => task.primary_entity?.value ?? "",
      text: (task) => task.primary_entity?.value ?? task.name ?? "-",
      canShrink: 12,
    },
    { name: "status", title: "STATE", text: stateOf, tone: toneOf },
    {
      name: "duration_seconds",
      isExtra: true,
      title: "TOOK",
      value: ({ start_timestamp, end_timestamp }) =>
        start_timestamp === null || end_timestamp === null
          ? ""
          : String((Date.parse(end_timestamp) - Date.parse(start_timestamp)) / 1000),
      text: (task) => lengthOf(task, now),
    },
    "organizational_unit_id",
    { name: "id", narrow: shortIds },
    ...hidden("category", "outcome", "progress_percentage", "start_timestamp", "end_timestamp"),
    { name: "entity_type", title: "", value: (task) => task.primary_entity?.type ?? "", isHidden: true },
    { name: "entity_id", title: "", value: (task) => task.primary_entity?.id ?? "", isHidden: true },
    ...hidden("name"),
    { name: "error_code", title: "", value: (task) => task.error?.code ?? "", isHidden: true },
    {
      name: "error_message",
      isExtra: "dear",
      title: "ERROR",
      value: (task) => task.error?.message ?? "",
      canShrink: 15,
    },
  ];
}

/** Shape of tasks as they are printed. */
export function taskShape(units: Names): ItemShape<Task> {
  return { id: ({ id }) => id, columns: columnsOf(taskColumns(), units) };
}
