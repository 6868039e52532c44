import type { Task } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, moment, some } from "../../output/facts";
import { lengthOf, stateOf, toneOf } from "./task-shape";

/** Facts about a task for people, in the order of their interest. */
export async function factsOfTask(task: Task, names: FactNames): Promise<Fact[]> {
  const { primary_entity: entity, error, abort, runner } = task;
  return [
    ["Task", task.name === undefined ? task.type : `${task.name} (${task.type})`],
    ["State", stateOf(task), toneOf(task)],
    ...some("Doing", task.progress_message),
    ...some("Protects", entity ? `${entity.type} ${entity.value}` : undefined),
    ...some("Operation", task.operation),
    ["Category", task.category],
    ["Unit", await names.unit(task.organizational_unit_id)],
    ["Created", moment(task.created_timestamp)],
    ...some("Began", moment(task.start_timestamp)),
    ...some("Ended", moment(task.end_timestamp)),
    ["Took", lengthOf(task, Date.now())],
    ...some("Error", error ? `${error.code}: ${error.message}` : undefined, "bad"),
    ...some("What to do", error?.remedy),
    ...some("Runs on", runner ? `${runner.host} (${runner.version})` : undefined),
    ...some("Last heard of", moment(task.last_heartbeat_timestamp)),
    ...some("Abort", abort ? `asked for ${abort.reason === null ? "" : `because ${abort.reason}`}`.trim() : undefined),
    ...some("Attempt", task.attempt === undefined ? undefined : String(task.attempt)),
    ...some("Monitor", task.monitor_id ? await names.monitor(task.monitor_id) : undefined),
    ["Can be aborted", task.is_abortable ? "yes" : "no"],
    ["Id", task.id],
  ];
}
