import { taskCountFilters } from "@holdfast/api/resources/task-counts";
import { taskFilters, tasks } from "@holdfast/api/resources/tasks";
import { allOf } from "../../lists/comparisons";
import type { ListScope, Snapshot } from "../../lists/list-source";
import { implementRead } from "../../operations/item-read";
import { implementParameterizedList } from "../../operations/parameterized-list";
import { implementList, type Renderers } from "../../operations/read";
import { countCacheUse } from "../../telemetry/count-cache-use";
import type { ResourceDescription } from "../resource-description";
import { taskCountList } from "./counts/list-task-counts";
import { writeTaskCount } from "./counts/present";
import { unitConditions } from "./list/conditions";
import { createTaskSource } from "./list/list-tasks";
import { readTaskLog } from "./logs/read-log";
import { abortTask } from "./reports/abort-task";
import type { FollowTasks } from "./reports/follow-tasks";
import { taskReports } from "./reports/report-tasks";
import { tasksInUnits } from "./tasks-in-units";

const renderers: Renderers<{ document: string }> = {
  // The stored document is the answer.
  1: ({ document }) => document,
};

/** Tasks, and what follows them in other resources. */
export const taskResource = (follow: FollowTasks) =>
  ({
    declaration: tasks,
    reads({ taskLogLimit, metrics }) {
      const countUse = countCacheUse(metrics, "task_counts");
      const source = createTaskSource(countUse);
      return {
        "list-task-counts": implementParameterizedList(taskCountList(source, countUse), taskCountFilters, {
          1: writeTaskCount,
        }),
        "read-task-log": readTaskLog(taskLogLimit),
        "list-tasks": implementList(source, taskFilters, renderers),
        "read-task": implementRead("task_id", findTask, "task", renderers),
      };
    },
    // Some reports ask for a change instead of being reports.
    changes: { "update-task": abortTask(follow) },
    reports: (parts) => taskReports(parts, follow),
    domain: "tasks",
    readingsOfAny: ["read-task-log"],
    tables: {
      entities: {
        move: { key: ["key"], numberedBy: "key" },
        domain: { name: "tasks", onlyUpdates: true },
      },
      tasks: {
        move: { key: ["created_at", "id"], numberedBy: "seq" },
        domain: { name: "tasks", onlyUpdates: true },
        grows: true,
        inUnit: tasksInUnits,
      },
      task_totals: {
        move: { key: ["organizational_unit_id", "category", "type", "status", "outcome", "writer"] },
        domain: { name: "tasks" },
        inUnit: "follows",
      },
      task_days: {
        move: { key: ["day", "organizational_unit_id", "category", "type", "status", "outcome", "writer"] },
        domain: { name: "tasks" },
        grows: true,
        inUnit: "follows",
      },
      // Changes with the days themselves.
      task_day_versions: { move: { key: ["day", "writer"] }, domain: null },
      task_quarters: {
        move: { key: ["quarter", "organizational_unit_id", "category", "status", "outcome", "writer"] },
        domain: { name: "tasks" },
        grows: true,
        inUnit: "follows",
      },
      entity_weeks: {
        move: { key: ["entity_key", "week", "organizational_unit_id"] },
        domain: null,
        inUnit: "follows",
      },
      task_leases: { move: { key: ["task_id"] }, domain: null, inUnit: "follows" },
      task_logs: { move: { key: ["task_id"] }, domain: null },
      task_log_pieces: { move: { key: ["task_id", "starts_at"] }, domain: null },
      task_changes: { move: { key: ["number"], numberedBy: "number" }, domain: null },
    },
  }) satisfies ResourceDescription<typeof tasks>;

async function findTask({ db }: Snapshot, scope: ListScope, id: string) {
  return db
    .selectFrom("tasks")
    .select("document")
    .where("id", "=", id)
    .where(allOf(unitConditions(scope)))
    .executeTakeFirst();
}
