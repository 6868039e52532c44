import { taskCountFilters } from "@holdfast/api/resources/task-counts";
import { taskFilters } from "@holdfast/api/resources/tasks";
import { allOf } from "../../lists/comparisons";
import type { ListScope, Snapshot } from "../../lists/list-source";
import { countCacheUse } from "../../observe/count-cache-use";
import { implementAskedList } from "../../operations/asked-list";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { taskCountList } from "./counts/list-task-counts";
import { writeTaskCount } from "./counts/present";
import { unitConditions } from "./list/conditions";
import { createTaskSource } from "./list/list-tasks";
import { readTaskLog } from "./logs/read-log";
import { abortTask } from "./reports/abort-task";
import type { FollowTasks } from "./reports/follow-tasks";
import type { TaskReportParts } from "./reports/report-tasks";

const renderers: Renderers<{ document: string }> = {
  // The stored document is the answer.
  1: ({ document }) => document,
};

/** Reads of tasks. */
export function taskReadings({
  taskLogLimit,
  metrics,
}: Pick<TaskReportParts, "taskLogLimit" | "metrics">): Record<string, Implementation> {
  const countUse = countCacheUse(metrics, "task_counts");
  const source = createTaskSource(countUse);
  return {
    "list-task-counts": implementAskedList(taskCountList(source, countUse), taskCountFilters, { 1: writeTaskCount }),
    "read-task-log": readTaskLog(taskLogLimit),
    "list-tasks": implementList(source, taskFilters, renderers),
    "read-task": implementRead("task_id", findTask, "task", renderers),
  };
}

/** Changes that some reports ask for instead of being reports. */
export function taskChanges(follow: FollowTasks): Record<string, ChangeImplementation> {
  return { "update-task": abortTask(follow) };
}

async function findTask({ db }: Snapshot, scope: ListScope, id: string) {
  return db
    .selectFrom("tasks")
    .select("document")
    .where("id", "=", id)
    .where(allOf(unitConditions(scope)))
    .executeTakeFirst();
}
