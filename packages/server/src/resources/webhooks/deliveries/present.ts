import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { WebhookDeliveryV1 } from "@holdfast/api/resources/webhook-deliveries";
import { readAttempts } from "./finish-deliveries";
import type { DeliveryRow } from "./list-deliveries";

/** A delivery as version 1 shows it. */
export function presentDeliveryV1(row: DeliveryRow): WebhookDeliveryV1 {
  const isWaiting = row.state === "waiting" && row.due_at !== null;
  return {
    id: row.id,
    webhook_id: row.webhook_id,
    event: row.event,
    task_id: row.task_id,
    state: row.state,
    event_count: row.event_count,
    attempt_count: row.attempt_count,
    attempts: readAttempts(row.attempts),
    next_attempt_timestamp: isWaiting ? formatTimestamp(row.due_at ?? 0) : null,
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/webhook-deliveries/${row.id}`) },
  };
}
