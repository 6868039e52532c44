import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { WebhookEvent } from "@holdfast/api/resources/webhook-words";
import type { Queries } from "@holdfast/server/database/database";
import type { MonitorTransition } from "@holdfast/server/resources/monitors/follow-runs";
import type { TaskRecord } from "@holdfast/server/resources/tasks/record";
import { queueDeliveries } from "@holdfast/server/resources/webhooks/queue-deliveries";
import { addWebhook, type NewWebhook } from "@holdfast/server/resources/webhooks/store";
import type { TaskEvent } from "@holdfast/server/resources/webhooks/webhook-events";
import type { Sealer } from "@holdfast/server/secrets/seal";
import type { Subject } from "./estate";
import type { NotedTasks } from "./noted-tasks";
import { createOrderedIds } from "./ordered-ids";
import { sendUntil } from "./pretend-sending";
import type { Random } from "./random";

export interface WebhookPast {
  random: Random;
  noted: NotedTasks;
  turns: readonly MonitorTransition[];
  /** Subject that has failed from its first backup on. */
  troubled: Subject | undefined;
  until: number;
}

const day = 86_400_000;
const reach = 25 * day;
const maxTransitions = 12;

/**
 * Adds webhooks of all kinds, with what they have sent. Nothing may leave the machine because of them: their addresses end in
 * `.localhost`, which the service refuses without asking a server of names; those that hear of what happens by itself, or mail
 * real addresses, are switched off; and nothing waits to be sent.
 */
export async function addDemoWebhooks(db: Queries, sealer: Sealer, past: WebhookPast): Promise<void> {
  const { random, until } = past;
  const webhooks = inventWebhooks(random, past, await listLeaders(db));
  const [failing] = webhooks;
  for (const webhook of webhooks) {
    const age = webhook === failing ? 9 * day : 60 * day;
    await addWebhook(db, sealer, { ...webhook, isEnabled: true }, until - age);
  }
  const isReached = (id: string) => id !== failing?.id;
  for (const { at, taskEvent } of taskEventsOf(past)) {
    await sendUntil(db, at - 1, { random, isReached });
    await queueDeliveries(db, [taskEvent], at);
  }
  await sendUntil(db, until, { random, isReached });
  const off = webhooks.filter(({ isEnabled }) => !isEnabled).map(({ id }) => id);
  await db.updateTable("webhooks").set({ is_enabled: 0 }).where("id", "in", off).execute();
}

/** The first one fails, and is switched off by the service. Others that are not enabled were switched off by a person. */
function inventWebhooks(random: Random, { troubled, until }: WebhookPast, leaders: readonly string[]): NewWebhook[] {
  const nextId = createOrderedIds(random);
  const webhook = (chosen: Partial<NewWebhook> & Pick<NewWebhook, "name" | "kind" | "events">): NewWebhook => ({
    id: nextId(until - 60 * day),
    organizational_unit_id: rootUnitId,
    url: null,
    authorization: null,
    recipientIds: [],
    filter: null,
    // A reminder would be sent by itself.
    remind_after: "never",
    isEnabled: true,
    ...chosen,
  });
  return [
    webhook({
      name: "Tickets for wrong passwords",
      organizational_unit_id: troubled?.unitId ?? rootUnitId,
      kind: "standard",
      url: "https://tickets.localhost/hooks/backup",
      events: ["task.failed"],
      filter: JSON.stringify({ "error.code": { $eq: "wrong_password" } }),
      isEnabled: false,
    }),
    webhook({
      name: "Compliance archive",
      kind: "standard",
      url: "https://archive.localhost/reports",
      authorization: "Bearer made-up",
      events: ["task.completed", "task.failed"],
      // Only reports: nothing of the demonstration makes further ones.
      filter: JSON.stringify({ category: { $eq: "report_generation" } }),
    }),
    webhook({
      name: "Chat: no runner took the task",
      kind: "slack",
      url: "https://chat.localhost/hooks/operations",
      // Nothing of the demonstration expires by itself.
      events: ["task.expired"],
    }),
    webhook({
      name: "Phone on call",
      kind: "ntfy",
      url: "https://ntfy.localhost/on-call",
      events: ["monitor.down", "monitor.up"],
      isEnabled: false,
    }),
    ...(leaders.length === 0
      ? []
      : [
          webhook({
            name: "Mail to the administrators",
            kind: "mail" as const,
            recipientIds: leaders,
            events: ["task.lost", "task.missed"],
            isEnabled: false,
          }),
        ]),
  ];
}

/** Events that were sent, oldest first. */
function taskEventsOf({ noted, turns, until }: WebhookPast): { at: number; taskEvent: TaskEvent }[] {
  const eventOf = (event: WebhookEvent) => (task: TaskRecord) => ({ at: endOf(task), taskEvent: { event, task } });
  const downs = turns
    .slice(-maxTransitions)
    .map(({ turn, task }) => eventOf(turn === "down" ? "monitor.down" : "monitor.up")(task));
  return [
    ...noted.reports.map((task) => eventOf(task.outcome === "success" ? "task.completed" : "task.failed")(task)),
    ...noted.expired.map(eventOf("task.expired")),
    ...noted.failures.map(eventOf("task.failed")),
    ...downs,
  ]
    .filter(({ at }) => at > until - reach && at <= until)
    .sort((one, other) => one.at - other.at);
}

function endOf({ end_timestamp, created_timestamp }: TaskRecord): number {
  return Date.parse(end_timestamp ?? created_timestamp);
}

/** Those whom mail about everything can go to. */
async function listLeaders(db: Queries): Promise<string[]> {
  const rows = await db
    .selectFrom("role_grants")
    .innerJoin("users", "users.id", "role_grants.user_id")
    .innerJoin("roles", "roles.id", "role_grants.role_id")
    .select("users.id")
    .where("role_grants.organizational_unit_id", "=", rootUnitId)
    .where("roles.name", "=", "admin")
    .where("is_enabled", "=", 1)
    .where("is_confirmed", "=", 1)
    .orderBy("users.id")
    .limit(2)
    .execute();
  return rows.map(({ id }) => id);
}
