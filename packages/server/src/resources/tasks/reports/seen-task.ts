import { isBackup } from "../../../database/protection/evidence";
import type { SeenTask } from "../../../database/protection/follow-tasks";
import type { TaskRecord } from "../record";

/** A task as protected entities follow it. */
export function seenTask(task: TaskRecord): SeenTask {
  const createdAt = Date.parse(task.created_timestamp);
  const operation = task.operation ?? task.type;
  return {
    id: task.id,
    unitId: task.organizational_unit_id,
    entity: task.primary_entity,
    createdAt,
    operation: isBackup(task) ? operation : null,
    ended: task.outcome && {
      id: task.id,
      category: task.category,
      type: task.type,
      operation,
      outcome: task.outcome,
      createdAt,
      startedAt: task.start_timestamp === null ? createdAt : Date.parse(task.start_timestamp),
      endedAt: task.end_timestamp === null ? createdAt : Date.parse(task.end_timestamp),
      monitorId: task.monitor_id ?? null,
    },
  };
}
