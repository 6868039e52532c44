import type { Client } from "@holdfast/client";
import { showNotice } from "../../components/notices";
import { saveText } from "../../components/save-text";
import { sentencesOf } from "../../components/states";
import type { TaskFilter } from "../../data/task-filter";
import { csvOf, mostRows } from "../../texts/csv";
import { counted } from "../../texts/numbers";

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

/** Saves the tasks of a filter as a file, up to a limit that is said. */
export async function downloadTasks(client: Client, filter: TaskFilter): Promise<void> {
  const finish = showNotice(`Fetching at most ${counted(mostRows, "task")} …`, { stays: true });
  try {
    const rows: (string | null | undefined)[][] = [columns];
    for await (const task of client.tasks.list({ filter, limit: 1000 })) {
      const { primary_entity, error } = task;
      rows.push([
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
      ]);
      if (rows.length > mostRows) break;
    }
    saveText(csvOf(rows), "tasks.csv", "text/csv");
    const all = rows.length - 1;
    const limit = all === mostRows ? " That is the most a file has: narrow the filter for the rest." : "";
    finish(`Saved ${counted(all, "task")}.${limit}`);
  } catch (error) {
    finish(sentencesOf(error).join(" "));
  }
}
