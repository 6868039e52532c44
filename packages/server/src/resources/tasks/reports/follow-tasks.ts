import type { Queries } from "../../../database/database";
import type { TaskRecord } from "../record";

/** A task that was added or changed. */
export interface FollowedTask {
  task: TaskRecord;
  /** The task before; null for a new one. */
  before: TaskRecord | null;
  /** States in between, where several reports of one transaction have changed its status. */
  between?: readonly TaskRecord[];
}

/**
 * Keeps what depends on tasks in step with them, in the transaction that changes them. Resources that know tasks are not
 * known to them, so this is given to every function that writes tasks.
 */
export type FollowTasks = (db: Queries, changes: readonly FollowedTask[], now: number) => Promise<void>;
