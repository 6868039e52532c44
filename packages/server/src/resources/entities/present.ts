import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { knownEntity } from "../../database/protection/entity-rows";
import { type BackupFacts, backupFactsOf, type EndedTask, lastRestoreOf } from "../../database/protection/evidence";
import { type Operation, operationsOf } from "../../database/protection/operations";
import type { ListedEntity } from "./list-entities";

/** A protected entity as version 1 shows it. */
export function presentEntityV1(row: ListedEntity): EntityV1 {
  const { tasks, marks, staleBefore } = knownEntity(row);
  return {
    id: row.id,
    primary_entity: { id: row.entity_id, type: row.entity_type, value: row.value },
    organizational_unit_id: row.organizational_unit_id,
    state: row.state,
    ...presentFacts(backupFactsOf(tasks)),
    last_restore: evidence(lastRestoreOf(tasks)),
    expected_period_seconds: row.expected_period_seconds,
    monitor_ids: JSON.parse(row.monitor_ids),
    operations: operationsOf(tasks, marks, staleBefore).map(presentOperation),
    first_seen_timestamp: formatTimestamp(row.first_seen_at),
    muted_until: row.muted_until === null ? null : formatTimestamp(row.muted_until),
    is_retired: row.is_retired === 1,
    _links: { self: getLink(`/entities/${row.id}`) },
  };
}

function presentOperation(operation: Operation): EntityV1["operations"][number] {
  return {
    operation: operation.operation,
    type: operation.type,
    state: operation.state,
    ...presentFacts(operation),
    monitor_ids: operation.monitorIds,
    is_retired: operation.isRetired,
  };
}

function presentFacts({ lastRun, lastGoodBackup, lastIncompleteBackup, recent }: BackupFacts) {
  return {
    last_run: evidence(lastRun),
    last_good_backup: evidence(lastGoodBackup),
    last_incomplete_backup: evidence(lastIncompleteBackup),
    recent_outcomes: recent.map(({ id, outcome, createdAt }) => ({
      task_id: id,
      outcome,
      created_timestamp: formatTimestamp(createdAt),
    })),
  };
}

function evidence(task: EndedTask | null): EntityV1["last_run"] {
  return task && { task_id: task.id, outcome: task.outcome, end_timestamp: formatTimestamp(task.endedAt) };
}
