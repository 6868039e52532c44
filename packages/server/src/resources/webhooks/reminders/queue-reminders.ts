import { randomUUID } from "node:crypto";
import { type ReminderInterval, reminderEvent } from "@holdfast/api/resources/webhook-words";
import type { Selectable } from "kysely";
import type { Queries } from "../../../database/database";
import type { WebhookTable } from "../../../database/schema";
import { readDocument } from "../../tasks/record";
import { findTasks } from "../../tasks/reports/find-tasks";
import { compileTaskFilter, fieldsOf } from "../../tasks/watch/filtered-fields";
import { anySubject } from "../deliveries/claim-deliveries";
import { addDeliveries } from "../deliveries/delivery-store";
import { reminderPayload } from "../payload";
import { readEvents } from "../present";
import { failureEvents } from "../webhook-events";
import { downStates, findStillDown, type StillDown } from "./still-down";

type RemindingWebhook = Pick<
  Selectable<WebhookTable>,
  "id" | "organizational_unit_id" | "events" | "filter" | "remind_after" | "reminded_at"
>;

const day = 86_400_000;
const intervals: Readonly<Record<Exclude<ReminderInterval, "never">, number>> = { daily: day, weekly: 7 * day };
const tasksPerStatement = 200;

/** Finds the webhooks whose interval is over. Whether anything is down for so long is not looked at. */
export async function findDueWebhooks(db: Queries, now: number): Promise<RemindingWebhook[]> {
  const rows = await db
    .selectFrom("webhooks")
    .select(["id", "organizational_unit_id", "events", "filter", "remind_after", "reminded_at"])
    .where("is_enabled", "=", 1)
    .where("remind_after", "<>", "never")
    .orderBy("seq")
    .execute();
  return rows.filter((webhook) => isDue(webhook, now));
}

function isDue({ remind_after, reminded_at }: RemindingWebhook, now: number): boolean {
  if (remind_after === "never") return false;
  const interval = intervals[remind_after];
  // One that lies far ahead was noted before the clock was set back.
  return reminded_at === null || reminded_at <= now - interval || reminded_at > now + interval;
}

/** Notes since when items are down, which is what "for how long" counts from. */
export async function noteDownItems(db: Queries, now: number): Promise<void> {
  const entities = db.updateTable("protected_entities");
  await entities
    .set({ down_since_at: now })
    .where("state", "in", downStates)
    .where("down_since_at", "is", null)
    .execute();
  await entities
    .set({ down_since_at: null })
    .where("state", "not in", downStates)
    .where("down_since_at", "is not", null)
    .execute();
}

/** Checks whether an item has gone down or come up since that was last noted. */
export async function hasItemsToNote(db: Queries): Promise<boolean> {
  const row = await db
    .selectFrom("protected_entities")
    .select("id")
    .where((eb) =>
      eb.or([
        eb.and([eb("state", "in", downStates), eb("down_since_at", "is", null)]),
        eb.and([eb("state", "not in", downStates), eb("down_since_at", "is not", null)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Queues one reminder of a webhook about everything that is still down, if something has been down for its whole interval. It is
 * one message for all of them, so however many are down, people get one a day or a week. Gives whether there was one.
 */
export async function queueReminder(db: Queries, webhookId: string, now: number): Promise<boolean> {
  const webhook = (await findDueWebhooks(db, now)).find(({ id }) => id === webhookId);
  if (!webhook) return false;
  const down = await findReminded(db, webhook, now);
  if (down.length === 0) return false;
  const unit = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("id", "=", webhook.organizational_unit_id)
    .executeTakeFirstOrThrow();
  await db.updateTable("webhooks").set({ reminded_at: now }).where("id", "=", webhook.id).execute();
  const delivery = {
    id: randomUUID(),
    webhook_id: webhook.id,
    event: reminderEvent,
    task_id: null,
    subject: anySubject,
    event_count: down.length,
    payload: () => reminderPayload(down, now, unit),
    due_at: now,
  };
  await addDeliveries(db, [delivery], now);
  return true;
}

/** Monitors and items that a webhook reminds of now; nothing before something was down for its whole interval. */
export async function findReminded(db: Queries, webhook: RemindingWebhook, now: number): Promise<StillDown[]> {
  if (webhook.remind_after === "never") return [];
  const longSince = now - intervals[webhook.remind_after];
  const events = new Set(readEvents(webhook.events));
  const hearsRuns = failureEvents.some((event) => events.has(event));
  const hears = ({ kind, state }: StillDown) =>
    hearsRuns ||
    (kind === "monitor" && events.has("monitor.down")) ||
    (state === "stale" && events.has("entity.stale"));
  const all = (await findStillDown(db, webhook.organizational_unit_id, now)).filter(hears);
  if (!all.some(({ since }) => since <= longSince)) return [];
  const down = webhook.filter === null ? all : await matching(db, webhook.filter, all);
  return down.some(({ since }) => since <= longSince) ? down : [];
}

/** Leaves those whose last bad run matches the filter of a webhook. */
async function matching(db: Queries, text: string, all: readonly StillDown[]): Promise<StillDown[]> {
  const isMatch = compileTaskFilter(text);
  const ids = all.flatMap(({ taskId }) => taskId ?? []);
  const matched = new Set<string>();
  for (let from = 0; from < ids.length; from += tasksPerStatement) {
    const found = await findTasks(db, ids.slice(from, from + tasksPerStatement), new Map());
    for (const { id, document } of found) if (isMatch(fieldsOf(readDocument(document)))) matched.add(id);
  }
  return all.filter(({ taskId }) => taskId !== null && matched.has(taskId));
}
