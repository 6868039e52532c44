import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type WebhookEvent, webhookEvents } from "@holdfast/api/resources/webhook-words";
import type { WebhookV1 } from "@holdfast/api/resources/webhooks";
import { z } from "zod";
import type { WebhookRow } from "./list-webhooks";

const storedList = z.array(z.string());
const storedFilter = z.record(z.string(), z.unknown());

/** A webhook as version 1 shows it: without its secrets. */
export function presentWebhookV1(row: WebhookRow): WebhookV1 {
  return {
    id: row.id,
    name: row.name,
    organizational_unit_id: row.organizational_unit_id,
    kind: row.kind,
    url: row.url,
    has_authorization: row.sealed_authorization !== null,
    recipient_user_ids: readIds(row.recipient_user_ids),
    events: readEvents(row.events),
    filter: row.filter === null ? null : storedFilter.parse(JSON.parse(row.filter)),
    remind_after: row.remind_after,
    is_enabled: row.is_enabled === 1,
    disabled_reason: row.disabled_reason,
    last_success_timestamp: row.last_success_at === null ? null : formatTimestamp(row.last_success_at),
    failures_in_a_row: row.failures_in_a_row,
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/webhooks/${row.id}`) },
  };
}

/** A webhook as the audit trail has it. The path of an address is left out: chats let in who knows it. */
export function auditedWebhook(row: WebhookRow): WebhookV1 {
  const shown = presentWebhookV1(row);
  return { ...shown, url: shown.url && `${new URL(shown.url).origin}/…` };
}

/** The ids in a stored list. */
export function readIds(stored: string): string[] {
  return storedList.parse(JSON.parse(stored));
}

/** The events in a stored list. Another version may know more of them than this one. */
export function readEvents(stored: string): WebhookEvent[] {
  const names = new Set(readIds(stored));
  return webhookEvents.filter((event) => names.has(event));
}
