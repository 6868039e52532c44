import type { Task } from "@holdfast/client";
import { ago, minute } from "../../output/moments";
import type { Tone } from "../../terminal/colours";
import { lengthOf, stateOf, toneOf } from "./task-shape";

type Fact = readonly [name: string, value: string, tone?: Tone | undefined];

/** What people want to know of a task, in that order. */
export function factsOfTask(task: Task, unit: string): Fact[] {
  const now = Date.now();
  const { primary_entity: entity, error, abort, runner } = task;
  const moment = (timestamp: string) => `${minute(timestamp)} UTC, ${ago(timestamp, now)}`;
  return [
    ["Task", task.name === undefined ? task.type : `${task.name} (${task.type})`],
    ["State", stateOf(task), toneOf(task)],
    ...some("Doing", task.progress_message),
    ...some("Protects", entity ? `${entity.type} ${entity.value}` : undefined),
    ["Category", task.category],
    ["Unit", unit],
    ["Created", moment(task.created_timestamp)],
    ...some("Began", task.start_timestamp === null ? undefined : moment(task.start_timestamp)),
    ...some("Ended", task.end_timestamp === null ? undefined : moment(task.end_timestamp)),
    ["Took", lengthOf(task, now)],
    ...some("Error", error ? `${error.code}: ${error.message}` : undefined, "bad"),
    ...some("What to do", error?.remedy),
    ...some("Runs on", runner ? `${runner.host} (${runner.version})` : undefined),
    ...some(
      "Last heard of",
      task.last_heartbeat_timestamp === null ? undefined : moment(task.last_heartbeat_timestamp),
    ),
    ...some("Abort", abort ? `asked for ${abort.reason === null ? "" : `because ${abort.reason}`}`.trim() : undefined),
    ...some("Attempt", task.attempt === undefined ? undefined : String(task.attempt)),
    ...some("Monitor", task.monitor_id),
    ["Can be aborted", task.is_abortable ? "yes" : "no"],
    ["Id", task.id],
  ];
}

function some(name: string, value: string | undefined, tone?: Tone): Fact[] {
  return value === undefined || value === "" ? [] : [[name, value, tone]];
}
