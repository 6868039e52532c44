import type { Queries } from "../../../database/database";
import type { NewDelivery } from "./delivery-store";

/** A message to people, before it is known whether it is sent by itself. */
export type Grouped = Omit<NewDelivery, "event_count" | "due_at">;

/** Period in which messages of one webhook on one kind of event are counted, in milliseconds, and how many may go out alone. */
const period = 60_000;
const maxUngrouped = 5;

/**
 * Keeps people from being flooded. Of one webhook and one event, a few messages in a minute are sent each by itself; what
 * comes beyond is counted in one more message, which is sent at the end of the minute. Gives the messages to add.
 */
export async function addToGroups(db: Queries, messages: readonly Grouped[], now: number): Promise<NewDelivery[]> {
  const added: NewDelivery[] = [];
  for (const alike of Map.groupBy(messages, ({ webhook_id, event }) => `${webhook_id} ${event}`).values()) {
    const [first] = alike;
    if (!first) continue;
    const alone = Math.max(0, maxUngrouped - (await countRecent(db, first, now)));
    added.push(...alike.slice(0, alone).map((message) => ({ ...message, event_count: 1, due_at: now })));
    const others = alike.slice(alone);
    const [next] = others;
    if (!next || (await joinGroup(db, next, others.length, now))) continue;
    added.push({ ...next, event_count: others.length, due_at: now + period });
  }
  return added;
}

async function countRecent(db: Queries, { webhook_id, event }: Grouped, now: number): Promise<number> {
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("webhook_id", "=", webhook_id)
    .where("event", "=", event)
    .where("created_at", ">", now - period)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts some more in the message that waits for the end of its minute. Gives whether there is one. */
async function joinGroup(db: Queries, { webhook_id, event }: Grouped, count: number, now: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("webhook_deliveries")
    .set((eb) => ({ event_count: eb("event_count", "+", count) }))
    .where("webhook_id", "=", webhook_id)
    .where("event", "=", event)
    .where("created_at", ">", now - period)
    .where("is_first", "=", 1)
    .where("state", "=", "waiting")
    .where("due_at", ">", now)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
