import type { TaskStatus } from "@holdfast/api/resources/tasks";

const ends: readonly TaskStatus[] = ["completed", "failed", "aborted"];

/** Whether a task has come to its end. */
export function isFinished(status: TaskStatus): boolean {
  return ends.includes(status);
}
