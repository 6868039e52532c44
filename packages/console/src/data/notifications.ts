import type { ItemOf } from "@holdfast/client";

export type Webhook = ItemOf<"webhooks", "read-webhook">;
export type Delivery = ItemOf<"webhook-deliveries", "read-webhook-delivery">;

/** State of a notification, and the reason if it is not sent. */
export function webhookState({ is_enabled, disabled_reason, failures_in_a_row }: Webhook) {
  if (disabled_reason !== null) return { word: "Switched off", look: "error" } as const;
  if (!is_enabled) return { word: "Off", look: "neutral" } as const;
  if (failures_in_a_row > 0) return { word: "Failing", look: "incomplete" } as const;
  return { word: "On", look: "good" } as const;
}

/** Describes the last attempt of a delivery. */
export function lastAttemptText({ attempts }: Pick<Delivery, "attempts">): string {
  const last = attempts.at(-1);
  if (!last) return "";
  // The reason of an answer that was not good says its status.
  const answer = last.reason?.replace(/\.$/, "") ?? String(last.status ?? "");
  return [...(answer === "" ? [] : [answer]), `${last.duration_ms}\u00a0ms`].join(" · ");
}
