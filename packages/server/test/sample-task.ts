import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { outcomesOf, type TaskStatus } from "@holdfast/api/resources/task-words";
import type { TaskRecord } from "../src/resources/tasks/record";

/** A completed backup; the number makes it unlike the others, and later than those with lower numbers. */
export function sampleTask(number: number): TaskRecord {
  const at = new Date(Date.parse("2026-11-01T00:00:00.000Z") + number * 60_000).toISOString();
  return {
    id: `00000000-0000-7000-8000-${String(number).padStart(12, "0")}`,
    category: "backup",
    status: "completed",
    progress_percentage: 100,
    created_timestamp: at,
    type: "restic_backup",
    start_timestamp: at,
    end_timestamp: at,
    organizational_unit_id: rootUnitId,
    primary_entity: { id: "host-1", type: "host", value: "web-01.example.org" },
    outcome: "success",
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: at,
    last_progress_timestamp: at,
  };
}

/** A status with what goes with it: how such a task usually ends, and an error where it has to have one. */
export function inStatus(status: TaskStatus): Pick<TaskRecord, "status" | "outcome" | "error"> {
  const [outcome = null] = outcomesOf[status];
  const error = { code: "host_unreachable", message: "There was no answer.", remedy: "Switch it on." };
  return { status, outcome, error: status === "failed" ? error : null };
}
