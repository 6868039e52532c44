import type { ReminderInterval, WebhookEvent, WebhookKind } from "@holdfast/api/resources/webhook-words";
import type { Shown } from "./task-words";

/** Words for the kinds of notifications. */
export const kindWords: Readonly<Record<WebhookKind, string>> = {
  standard: "Webhook",
  slack: "Slack",
  ntfy: "ntfy",
  mail: "Mail",
};

/** Purpose of each kind, and an example of its address. */
export const kindHints: Readonly<Record<WebhookKind, { hint: string; example: string }>> = {
  standard: { hint: "Signed JSON, for a program of your own.", example: "https://hooks.example.org/holdfast" },
  slack: {
    hint: "A message in a chat: Slack, Mattermost, Rocket.Chat, or Discord with /slack at the end of its address.",
    example: "https://hooks.slack.com/services/…",
  },
  ntfy: { hint: "A push message to phones.", example: "https://ntfy.sh/our-backups" },
  mail: { hint: "An e-mail to people who may see the tasks of this unit.", example: "" },
};

/** The events that can be sent, in the order in which most people want them. */
export const eventGroups: readonly { title: string; events: readonly WebhookEvent[] }[] = [
  {
    title: "Something is wrong",
    events: [
      "monitor.down",
      "task.failed",
      "task.lost",
      "entity.stale",
      "task.missed",
      "task.expired",
      "task.warning",
      "task.stalled",
      "task.overdue",
      "token.expiring",
    ],
  },
  { title: "It is good again", events: ["monitor.up", "entity.good", "task.completed", "task.revived"] },
  { title: "Others", events: ["task.started", "task.aborted"] },
];

/** Offered first: enough to hear of trouble once, and of its end. */
export const defaultEvents: readonly WebhookEvent[] = [
  "monitor.down",
  "monitor.up",
  "task.failed",
  "task.lost",
  "entity.stale",
];

const eventWords: Readonly<Record<string, string>> = {
  "task.started": "A task started",
  "task.completed": "A task succeeded",
  "task.warning": "A task is incomplete",
  "task.failed": "A task failed",
  "task.aborted": "A task was cancelled",
  "task.lost": "A task was lost",
  "task.revived": "A lost task came back",
  "task.expired": "A queued task expired",
  "task.missed": "An expected run is missing",
  "task.stalled": "A task makes no progress",
  "task.overdue": "A task takes too long",
  "monitor.down": "A monitor turned bad",
  "monitor.up": "A monitor is good again",
  "token.expiring": "An API token expires soon",
  "entity.good": "An item is good again",
  "entity.stale": "An item without a monitor has had no good backup for too long",
  "webhook.test": "Test",
  "webhook.reminder": "Reminder of what is still down",
};

/** An event in words; one that is newer than this console as it is. */
export function eventText(event: string): string {
  return eventWords[event] ?? event;
}

/** Intervals at which a notification reminds of what stays down. */
export const reminderWords: Readonly<Record<ReminderInterval, string>> = {
  never: "Never",
  daily: "Once a day",
  weekly: "Once a week",
};

const deliveryLooks: Readonly<Record<string, Shown>> = {
  waiting: { mark: "queued", word: "Waiting" },
  sending: { mark: "running", word: "Sending" },
  delivered: { mark: "good", word: "Delivered" },
  failed: { mark: "error", word: "Failed" },
  dropped: { mark: "cancelled", word: "Dropped" },
};

/** Look of a delivery's state. */
export function deliveryLook(state: string): Shown {
  return deliveryLooks[state] ?? { mark: "neutral", word: state };
}

/** A filter of tasks in words: `category is backup`; undefined where it says more than which values some fields have. */
export function filterText(filter: object): string | undefined {
  const parts = Object.entries(filter).map(([field, asked]: [string, unknown]) => {
    const values = valuesOf(asked);
    return values && `${field.replace(/[._]/g, " ")} is ${values.join(" or ")}`;
  });
  return parts.length > 0 && parts.every((part) => part !== undefined) ? parts.join(" and ") : undefined;
}

function valuesOf(asked: unknown): string[] | undefined {
  if (typeof asked === "string") return [asked];
  if (typeof asked !== "object" || asked === null || Object.keys(asked).length !== 1) return undefined;
  const values: unknown = "$eq" in asked ? [asked.$eq] : "$in" in asked ? asked.$in : undefined;
  return Array.isArray(values) && values.every((value) => typeof value === "string") ? values : undefined;
}
