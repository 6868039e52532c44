import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { EntityV1 } from "@holdfast/api/resources/entities";
import { type EndedTask, factsOf, readEvidence } from "../../database/protection/evidence";
import type { ListedEntity } from "./list-entities";

/** A protected entity as version 1 shows it. */
export function presentEntityV1(row: ListedEntity): EntityV1 {
  const facts = factsOf(readEvidence(row.evidence));
  return {
    id: row.id,
    primary_entity: { id: row.entity_id, type: row.entity_type, value: row.value },
    organizational_unit_id: row.organizational_unit_id,
    state: row.state,
    last_run: evidence(facts.lastRun),
    last_good_backup: evidence(facts.lastGoodBackup),
    last_incomplete_backup: evidence(facts.lastIncompleteBackup),
    last_restore: evidence(facts.lastRestore),
    expected_period_seconds: row.expected_period_seconds,
    monitor_ids: JSON.parse(row.monitor_ids),
    recent_outcomes: facts.recent.map(({ id, outcome, createdAt }) => ({
      task_id: id,
      outcome,
      created_timestamp: formatTimestamp(createdAt),
    })),
    first_seen_timestamp: formatTimestamp(row.first_seen_at),
    muted_until: row.muted_until === null ? null : formatTimestamp(row.muted_until),
    is_retired: row.is_retired === 1,
    _links: { self: getLink(`/entities/${row.id}`) },
  };
}

function evidence(task: EndedTask | null): EntityV1["last_run"] {
  return task && { task_id: task.id, outcome: task.outcome, end_timestamp: formatTimestamp(task.endedAt) };
}
