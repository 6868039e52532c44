import type { ItemOf } from "@holdfast/client";
import type { FactNames } from "../../grammar/show-verb";
import { type Fact, factsForPeople, moment, some } from "../../output/facts";

/** A webhook, and its secret when that is new. */
export type Webhook = ItemOf<"webhooks", "create-webhook">;

const kinds: Record<Webhook["kind"], string> = {
  standard: "signed JSON to a program (standard)",
  slack: "a message to a chat (slack)",
  ntfy: "a push message (ntfy)",
  mail: "an e-mail (mail)",
};

/** Facts about a webhook, the most important first. */
export async function webhookFacts(webhook: Webhook, names: FactNames): Promise<Fact[]> {
  const recipients = await Promise.all(webhook.recipient_user_ids.map((id) => names.user(id)));
  const { failures_in_a_row: failures, disabled_reason: reason } = webhook;
  const off = reason === null ? "off" : `off: ${reason}`;
  const filter = factsForPeople(webhook.filter ?? {}).map(([field, value]) => `${field} ${value}`);
  return [
    ["Webhook", webhook.name],
    ["State", webhook.is_enabled ? "on" : off, webhook.is_enabled ? "good" : "warning"],
    ["Sends", kinds[webhook.kind]],
    ...some("To", webhook.url ?? recipients.join(", ")),
    ["Events", webhook.events.join(", ")],
    ["Of tasks", filter.join("\n") || "all"],
    ["Last success", moment(webhook.last_success_timestamp) ?? "never"],
    ...some("Failed since", failures > 0 ? `${failures} times` : undefined, "warning"),
    ...some("Authorization", webhook.has_authorization ? "sent, never shown" : undefined),
    ["Unit", await names.unit(webhook.organizational_unit_id)],
    ["Created", moment(webhook.created_timestamp)],
    ["Id", webhook.id],
  ];
}
