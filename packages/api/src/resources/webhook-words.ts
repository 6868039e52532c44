/** Kinds of webhooks, which decide how a message is written and sent: signed JSON, a chat, a push message, or mail. */
export const webhookKinds = ["standard", "slack", "ntfy", "mail"] as const;

/** The events that a webhook can be notified of. */
export const webhookEvents = [
  "task.started",
  "task.completed",
  "task.warning",
  "task.failed",
  "task.aborted",
  "task.lost",
  "task.revived",
  "task.expired",
  "task.missed",
  "task.stalled",
  "task.overdue",
  "monitor.down",
  "monitor.up",
  "token.expiring",
  "entity.good",
  "entity.stale",
] as const;

/** The event of a message that a person has asked for, to see whether it arrives. */
export const testEvent = "webhook.test";

/** The event of a message that says what is still down. */
export const reminderEvent = "webhook.reminder";

/** Intervals at which a webhook reminds of what stays down. */
export const reminderIntervals = ["never", "daily", "weekly"] as const;

/** Where a delivery stands. `failed` was given up, `dropped` was not sent because too many waited or the webhook was off. */
export const deliveryStates = ["waiting", "sending", "delivered", "failed", "dropped"] as const;

export type WebhookKind = (typeof webhookKinds)[number];
export type ReminderInterval = (typeof reminderIntervals)[number];
export type WebhookEvent = (typeof webhookEvents)[number];
