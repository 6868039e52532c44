import { foldCase } from "@holdfast/api/conventions/fold-case";
import type { Queries } from "../../database/database";
import type { Sealer } from "../../secrets/seal";
import type { WantedWebhook } from "./check-webhook";
import { authorizationPurpose, makeWebhookSecret, webhookSecretPurpose } from "./webhook-secrets";

/** A new webhook: everything that is chosen. */
export interface NewWebhook extends WantedWebhook {
  id: string;
  isEnabled: boolean;
}

/** Stores a webhook whose choices were checked. Gives its secret, which is shown once, where its kind signs messages. */
export async function addWebhook(
  db: Queries,
  sealer: Sealer,
  { id, name, organizational_unit_id, kind, url, filter, remind_after, ...webhook }: NewWebhook,
  now: number,
): Promise<string | undefined> {
  const secret = kind === "standard" ? makeWebhookSecret() : undefined;
  await db
    .insertInto("webhooks")
    .values({
      id,
      ...webhookNames(name),
      organizational_unit_id,
      kind,
      url,
      sealed_authorization: sealAuthorization(sealer, id, webhook.authorization),
      sealed_secret: secret === undefined ? null : sealer.seal(secret, webhookSecretPurpose(id)),
      sealed_old_secret: null,
      old_secret_until: null,
      recipient_user_ids: JSON.stringify(webhook.recipientIds),
      events: JSON.stringify(webhook.events),
      filter,
      remind_after,
      // Reminders count from now: what has been down for long is not reminded of at once.
      reminded_at: now,
      is_enabled: webhook.isEnabled ? 1 : 0,
      disabled_reason: null,
      last_success_at: null,
      failures_in_a_row: 0,
      failing_since: null,
      created_at: now,
    })
    .execute();
  return secret;
}

/** The columns that a name fills: what is sorted and compared is stored. */
export function webhookNames(name: string) {
  return { name, name_lower: name.toLowerCase(), name_folded: foldCase(name) };
}

/** The value of its header, as it is stored. */
export function sealAuthorization(sealer: Sealer, id: string, value: string | null): string | null {
  return value === null ? null : sealer.seal(value, authorizationPurpose(id));
}
