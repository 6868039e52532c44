import { type Calls, sendRepeatable } from "./calls";
import type { ItemOf } from "./declared";
import type { Tasks as TaskCalls } from "./resources";
import type { CallOptions } from "./transport";

/**
 * A task, as lists and streams have it.
 * @example
 * import { type Task } from "@holdfast/client";
 *
 * const describe = (task: Task) => `${task.type}: ${task.outcome ?? task.status}`;
 * for (const task of await holdfast.tasks.list().first(3)) console.log(describe(task));
 */
export type Task = ItemOf<"tasks", "read-task">;

/**
 * A task as its runner gets it, with its lease.
 * @example
 * import { type CreatedTask } from "@holdfast/client";
 *
 * const task: CreatedTask = await holdfast.tasks.create({ category: "system", type: "disk_check" });
 * console.log(task.lease?.next_report_seconds);
 */
export type CreatedTask = ItemOf<"tasks", "create-task">;

/**
 * Number of tasks in a stretch of time, of one kind.
 * @example
 * import { type TaskCount } from "@holdfast/client";
 *
 * const days: TaskCount[] = await holdfast.tasks.counts().first(7);
 * console.log(days.map(({ count }) => count));
 */
export type TaskCount = ItemOf<"tasks", "list-task-counts">;

/** Backups, restores, snapshots and everything else that runs. `reportTask` of `@holdfast/client/report` reports work that runs here. */
export interface Tasks extends TaskCalls {
  /**
   * Asks for a task to be aborted. Its runner stops the work; the task says when it has.
   * @example
   * await holdfast.tasks.abort(taskId, "the disk is needed");
   */
  abort(id: string, reason?: string, options?: CallOptions): Promise<Task>;
}

/** Adds what is more than a call of an operation. */
export function createTasks(calls: Calls, tasks: TaskCalls): Tasks {
  return {
    ...tasks,
    abort: (id, reason, options = {}) => {
      const body = { status: "aborting", reason };
      return sendRepeatable(
        calls,
        { resource: "tasks", version: 1, id: "update-task" },
        { ...options, ids: [id] },
        body,
      );
    },
  };
}
