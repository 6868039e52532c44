import type { Selectable } from "kysely";
import type { Queries } from "../../../database/database";
import type { WebhookDeliveryTable, WebhookTable } from "../../../database/schema";

/** A delivery that this process is to send. */
export type ClaimedDelivery = Pick<
  Selectable<WebhookDeliveryTable>,
  "id" | "webhook_id" | "event" | "event_count" | "payload" | "is_first" | "reached_user_ids"
>;

/** A webhook as far as sending needs it. */
export type SendingWebhook = Pick<
  Selectable<WebhookTable>,
  | "id"
  | "name"
  | "organizational_unit_id"
  | "kind"
  | "url"
  | "sealed_authorization"
  | "sealed_secret"
  | "sealed_old_secret"
  | "old_secret_until"
  | "recipient_user_ids"
  | "failures_in_a_row"
>;

export interface Claim {
  webhook: SendingWebhook;
  delivery: ClaimedDelivery;
}

export interface ClaimOptions {
  now: number;
  /** The process that claims. */
  claimedBy: string;
  /** How many it can send now, and how many of these by webhooks that have failed lately. */
  room: number;
  roomForFailing: number;
}

/** How long a claim holds: longer than an attempt can take. After that, another process may send. */
const claimFor = 60_000;
const atOnce = 4;
/** After so many failures in a row, a webhook is tried with one message at a time. */
const failuresUntilSlow = 5;

/** Whether anything is due. */
export async function isAnythingDue(db: Queries, now: number): Promise<boolean> {
  const row = await dueWebhooks(db, now).limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Claims what is due, as far as there is room for it. Webhooks that work come first. */
export async function claimDeliveries(db: Queries, options: ClaimOptions): Promise<Claim[]> {
  const webhooks = await dueWebhooks(db, options.now)
    .select([
      "name",
      "organizational_unit_id",
      "kind",
      "url",
      "sealed_authorization",
      "sealed_secret",
      "sealed_old_secret",
      "old_secret_until",
      "recipient_user_ids",
      "failures_in_a_row",
    ])
    .orderBy("failures_in_a_row")
    .execute();
  const claims: Claim[] = [];
  let { room, roomForFailing } = options;
  for (const webhook of webhooks) {
    const isFailing = webhook.failures_in_a_row > 0;
    const most = Math.min(room, isFailing ? roomForFailing : room);
    if (most <= 0) continue;
    const deliveries = await claimOf(db, webhook, most, options);
    claims.push(...deliveries.map((delivery) => ({ webhook, delivery })));
    room -= deliveries.length;
    if (isFailing) roomForFailing -= deliveries.length;
  }
  return claims;
}

function dueWebhooks(db: Queries, now: number) {
  return db
    .selectFrom("webhooks")
    .select("webhooks.id")
    .where("is_enabled", "=", 1)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("webhook_deliveries")
          .select("webhook_deliveries.seq")
          .whereRef("webhook_deliveries.webhook_id", "=", "webhooks.id")
          .where("due_at", "is not", null)
          .where("due_at", "<=", now),
      ),
    );
}

async function claimOf(
  db: Queries,
  webhook: SendingWebhook,
  room: number,
  { now, claimedBy }: ClaimOptions,
): Promise<ClaimedDelivery[]> {
  const beingSent = await db
    .selectFrom("webhook_deliveries")
    .select(["claimed_by", "is_first"])
    .where("webhook_id", "=", webhook.id)
    .where("due_at", ">", now)
    .where("state", "=", "sending")
    .execute();
  const limit = webhook.failures_in_a_row >= failuresUntilSlow ? 1 : atOnce;
  const free = Math.min(room, limit - beingSent.length);
  if (free <= 0) return [];
  // First attempts leave in order, which two processes beside each other could not keep.
  const isOthersTurn = beingSent.some((one) => one.is_first === 1 && one.claimed_by !== claimedBy);
  const due = db
    .selectFrom("webhook_deliveries")
    .select(["seq", "id", "webhook_id", "event", "event_count", "payload", "is_first", "reached_user_ids"])
    .where("webhook_id", "=", webhook.id)
    .where("due_at", "is not", null)
    .where("due_at", "<=", now)
    .limit(free);
  const repeated = await due.where("is_first", "=", 0).orderBy("due_at").execute();
  const first = isOthersTurn ? [] : await due.where("is_first", "=", 1).orderBy("seq").execute();
  // What failed before never fills all places while something new waits.
  const chosen = [...first.slice(0, free - Math.min(repeated.length, 1)), ...repeated].slice(0, free);
  if (chosen.length === 0) return [];
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "sending", due_at: now + claimFor, claimed_by: claimedBy })
    .where(
      "seq",
      "in",
      chosen.map(({ seq }) => seq),
    )
    .execute();
  return chosen.map(({ seq: _, ...delivery }) => delivery);
}
