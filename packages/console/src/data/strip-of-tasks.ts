import type { Task } from "@holdfast/client";
import { categoryWords, wordOf } from "../texts/task-words";

/** Number of backups that a strip shows. */
const maxBackups = 30;

/** A task, as far as a strip shows it. */
type Run = Pick<Task, "id" | "status" | "outcome" | "created_timestamp" | "category">;

const isBackup = ({ category }: Run) => category === "backup" || category === "snapshot";

/** The last backups of an item, oldest first, and its other runs in between, which say nothing about how well it is protected. */
export function stripOfTasks(newestFirst: readonly Run[]) {
  const oldest = newestFirst.filter(isBackup)[maxBackups - 1];
  const shown = oldest ? newestFirst.slice(0, newestFirst.indexOf(oldest) + 1) : newestFirst;
  return shown.toReversed().map((task) => ({
    id: task.id,
    status: task.status,
    outcome: task.outcome,
    created_timestamp: task.created_timestamp,
    other: isBackup(task) ? undefined : wordOf(categoryWords, task.category),
  }));
}
