import type { Queries } from "../../../database/database";

/** A message to be sent. The payload is made when it is known that it is stored. */
export interface NewDelivery {
  id: string;
  webhook_id: string;
  event: string;
  task_id: string | null;
  /** Subject of the message; a later message about it waits for the first attempt of this one. */
  subject: string;
  event_count: number;
  payload: () => string;
  due_at: number;
}

/** Maximum number of waiting deliveries of one webhook. */
const maxWaiting = 10_000;
const rowsPerStatement = 200;
/** Number of old rows that are removed together. */
const removedTogether = 1_000;
/** Time for which deliveries are kept, in milliseconds. */
const kept = 30 * 86_400_000;

/** Adds messages in their order. Where too many wait, the oldest are dropped. */
export async function addDeliveries(db: Queries, deliveries: readonly NewDelivery[], now: number): Promise<void> {
  // Of more than may wait, the first would be dropped at once.
  const counted = new Map<string, number>();
  const bounded = deliveries
    .toReversed()
    .filter(({ webhook_id }) => {
      const count = (counted.get(webhook_id) ?? 0) + 1;
      counted.set(webhook_id, count);
      return count <= maxWaiting;
    })
    .reverse();
  for (let from = 0; from < bounded.length; from += rowsPerStatement) {
    const rows = bounded.slice(from, from + rowsPerStatement).map(({ payload, ...delivery }) => ({
      ...delivery,
      payload: payload(),
      state: "waiting" as const,
      claimed_by: null,
      is_first: 1,
      failures: 0,
      attempt_count: 0,
      attempts: "[]",
      reached_user_ids: "[]",
      created_at: now,
    }));
    await db.insertInto("webhook_deliveries").values(rows).execute();
  }
  for (const webhookId of counted.keys()) await dropOldest(db, webhookId);
}

async function dropOldest(db: Queries, webhookId: string): Promise<void> {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("webhook_id", "=", webhookId)
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  const tooMany = Number(count) - maxWaiting;
  if (tooMany <= 0) return;
  const oldest = db
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("webhook_id", "=", webhookId)
    .where("due_at", "is not", null)
    .where("state", "=", "waiting")
    .orderBy("seq")
    .limit(tooMany);
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "dropped", due_at: null })
    .where("seq", "in", oldest)
    .execute();
}

/** Drops what waits for a webhook that is switched off. What is being sent just now comes to its end. */
export async function dropWaiting(db: Queries, webhookId: string): Promise<void> {
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "dropped", due_at: null })
    .where("webhook_id", "=", webhookId)
    .where("due_at", "is not", null)
    .where("state", "=", "waiting")
    .execute();
}

/** Removes some deliveries that are old, or whose webhook is gone. Gives whether there may be more. */
export async function removeOldDeliveries(db: Queries, now: number): Promise<boolean> {
  const old = db
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("created_at", "<", now - kept)
    .limit(removedTogether);
  const { numDeletedRows: aged } = await db.deleteFrom("webhook_deliveries").where("seq", "in", old).executeTakeFirst();
  const orphans = db
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("webhook_id", "not in", (eb) => eb.selectFrom("webhooks").select("id"))
    .limit(removedTogether);
  const { numDeletedRows: left } = await db
    .deleteFrom("webhook_deliveries")
    .where("seq", "in", orphans)
    .executeTakeFirst();
  return aged >= removedTogether || left >= removedTogether;
}

/** Number of deliveries that wait or are being sent, and since when the first of those that nothing sends is due. */
export async function countWaiting(db: Queries, now: number): Promise<{ count: number; dueSince: number | null }> {
  const { count, first } = await db
    .selectFrom("webhook_deliveries")
    .innerJoin("webhooks", "webhooks.id", "webhook_id")
    .select((eb) => [eb.fn.countAll<number>().as("count"), eb.fn.min<number | null>("due_at").as("first")])
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  const dueSince = first === null || Number(first) > now ? null : Number(first);
  return { count: Number(count), dueSince };
}
