import type { Queries } from "@holdfast/server/database/database";
import { addToLogs } from "@holdfast/server/resources/tasks/logs/log-store";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { inventLog } from "./log-lines";
import type { Random } from "./random";

/** More than any made-up log has, in bytes. */
const maxLogBytes = 1_048_576;
const logsPerDay = 400;
const dayLength = 86_400_000;

/** Chooses the tasks of the last day that get a log, so many of them that it does not take long with any number of tasks. */
export function chooseLogged(random: Random, tasksPerDay: number, until: number): (task: TaskRecord) => TaskRecord {
  const share = Math.min(1, logsPerDay / Math.max(1, tasksPerDay));
  return (task) => {
    const isRecent = Date.parse(task.created_timestamp) > until - dayLength;
    return isRecent && task.start_timestamp !== null && random.isLucky(share) ? { ...task, hasLog: true } : task;
  };
}

/** Writes the logs of the tasks that have one. */
export async function addDemoLogs(db: Queries, random: Random, tasks: readonly TaskRecord[]): Promise<void> {
  const pieces = tasks
    .filter(({ hasLog }) => hasLog)
    .map(({ id, type, created_timestamp, primary_entity, error, outcome }) => {
      const fault = outcome === "warning" ? undefined : error?.message;
      const entity = primary_entity?.value ?? "the control plane";
      const lines = inventLog(random, { type, entity, fault, isIncomplete: outcome === "warning" });
      const text = `${lines.join("\n")}\n`;
      return {
        taskId: id,
        createdAt: Date.parse(created_timestamp),
        starts_at: 0,
        ends_at: Buffer.byteLength(text),
        text,
      };
    });
  await addToLogs(db, pieces, maxLogBytes);
}
