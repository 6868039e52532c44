import type { TaskStatus } from "@holdfast/api/resources/tasks";
import type { Queries } from "../../database/database";
import { Refusal } from "../../settings/refusal";
import type { TaskRecord } from "./record";
import { findTask, replaceTask } from "./store";

/** Where a task can go from where it stands. A finished task never changes again. */
const transitions: Record<TaskStatus, readonly TaskStatus[]> = {
  queued: ["in_progress", "failed", "aborted"],
  in_progress: ["completed", "failed", "aborted", "aborting"],
  aborting: ["completed", "failed", "aborted"],
  completed: [],
  failed: [],
  aborted: [],
};

export function canMove(from: TaskStatus, to: TaskStatus): boolean {
  return transitions[from].includes(to);
}

export function isFinished(status: TaskStatus): boolean {
  return transitions[status].length === 0;
}

/** What can change about a task while it lives; what it is and when it was created cannot. */
export type TaskUpdate = Partial<
  Omit<TaskRecord, "id" | "category" | "type" | "created_timestamp" | "organizational_unit_id">
>;

/** Changes a task that is not finished, along the transitions. */
export async function updateTask(db: Queries, id: string, update: TaskUpdate): Promise<TaskRecord> {
  const before = await findTask(db, id);
  if (!before) throw new Refusal(`There is no task ${id}.`);
  const after = { ...before, ...update };
  if (isFinished(before.status)) throw new Refusal(`The task ${id} is ${before.status} and does not change any more.`);
  if (after.status !== before.status && !canMove(before.status, after.status)) {
    throw new Refusal(`A task that is ${before.status} cannot become ${after.status}.`);
  }
  if (!(await replaceTask(db, before, after))) throw new Refusal(`The task ${id} was changed meanwhile. Try again.`);
  return after;
}
