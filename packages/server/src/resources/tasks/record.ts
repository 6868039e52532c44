import { getLink } from "@holdfast/api/conventions/hal";
import type { TaskV1 } from "@holdfast/api/resources/tasks";
import type { NewTaskRow } from "../../database/tasks/rows";

/** A task without its links, which follow from its id. */
export type TaskRecord = Omit<TaskV1, "_links"> & {
  /** True if it has a log, to which a link leads. */
  hasLog?: boolean;
};

export const quarterLength = 900_000;
export const hourLength = 4 * quarterLength;
export const dayLength = 86_400_000;
export const weekLength = 7 * dayLength;

/** The task as the API shows it, written once: lists read it far more often than it changes. */
export function writeDocument(task: TaskRecord): string {
  const path = `/tasks/${encodeURIComponent(task.id)}`;
  return JSON.stringify({
    id: task.id,
    category: task.category,
    status: task.status,
    progress_percentage: task.progress_percentage,
    created_timestamp: task.created_timestamp,
    type: task.type,
    start_timestamp: task.start_timestamp,
    end_timestamp: task.end_timestamp,
    organizational_unit_id: task.organizational_unit_id,
    primary_entity: task.primary_entity && {
      id: task.primary_entity.id,
      type: task.primary_entity.type,
      value: task.primary_entity.value,
    },
    outcome: task.outcome,
    error: task.error && { code: task.error.code, message: task.error.message, remedy: task.error.remedy },
    is_abortable: task.is_abortable,
    last_heartbeat_timestamp: task.last_heartbeat_timestamp,
    last_progress_timestamp: task.last_progress_timestamp,
    name: task.name,
    operation: task.operation,
    progress_message: task.progress_message,
    attempt: task.attempt,
    monitor_id: task.monitor_id,
    runner: task.runner && { host: task.runner.host, version: task.runner.version },
    liveness: task.liveness,
    received_timestamp: task.received_timestamp,
    revised_timestamp: task.revised_timestamp,
    abort: task.abort,
    late_report: task.late_report,
    _links: { self: getLink(path), ...(task.hasLog ? { log: getLink(`${path}/log`) } : {}) },
  } satisfies TaskV1);
}

/** The task that a document shows. */
export function readDocument(document: string): TaskRecord {
  const { _links, ...record }: TaskV1 = JSON.parse(document);
  return _links.log ? { ...record, hasLog: true } : record;
}

/** The row of a task. */
export function taskRow(task: TaskRecord, entityKey: number | null): NewTaskRow {
  return {
    id: task.id,
    organizational_unit_id: task.organizational_unit_id,
    category: task.category,
    type: task.type,
    status: task.status,
    created_at: Date.parse(task.created_timestamp),
    started_at: task.start_timestamp === null ? null : Date.parse(task.start_timestamp),
    ended_at: task.end_timestamp === null ? null : Date.parse(task.end_timestamp),
    entity_key: entityKey,
    outcome: task.outcome ?? "",
    error_code: task.error?.code ?? null,
    monitor_id: task.monitor_id ?? null,
    operation: task.operation ?? null,
    document: writeDocument(task),
  };
}
