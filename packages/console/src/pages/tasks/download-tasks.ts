import type { Client } from "@holdfast/client";
import { saveList } from "../../components/download-csv";
import type { TaskFilter } from "../../data/task-filter";

const columns = [
  "id",
  "category",
  "type",
  "item",
  "status",
  "outcome",
  "created_timestamp",
  "start_timestamp",
  "end_timestamp",
  "organizational_unit_id",
  "error_code",
  "error_message",
];

/** Saves the tasks of a filter as a file. */
export function downloadTasks(client: Client, filter: TaskFilter): Promise<void> {
  return saveList(client.tasks.list({ filter, limit: 1000 }), {
    name: "tasks.csv",
    noun: "task",
    columns,
    rowOf: ({ primary_entity, error, ...task }) => [
      task.id,
      task.category,
      task.type,
      primary_entity?.value,
      task.status,
      task.outcome,
      task.created_timestamp,
      task.start_timestamp,
      task.end_timestamp,
      task.organizational_unit_id,
      error?.code,
      error?.message,
    ],
  });
}
