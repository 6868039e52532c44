import type { SeenTask } from "../../database/protection/follow-tasks";
import type { TaskRecord } from "./record";

/** A task as protected entities follow it. */
export function seenTask(task: TaskRecord): SeenTask {
  const createdAt = Date.parse(task.created_timestamp);
  return {
    id: task.id,
    unitId: task.organizational_unit_id,
    entity: task.primary_entity,
    createdAt,
    ended: task.outcome && {
      id: task.id,
      category: task.category,
      outcome: task.outcome,
      createdAt,
      endedAt: task.end_timestamp === null ? createdAt : Date.parse(task.end_timestamp),
      monitorId: task.monitor_id ?? null,
    },
  };
}
