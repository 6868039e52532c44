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
  /** Number of deliveries that it can send now, and how many of these by webhooks that have failed lately. */
  room: number;
  roomForFailing: number;
}

/** Lifetime of a claim: longer than an attempt can take. After that, another process may send. */
const claimFor = 60_000;
const atOnce = 4;
/** The subject of a message that is about many things: all later ones wait for its first attempt. */
export const anySubject = "*";
/** Time that unrelated messages wait for one that waits for an answer, in milliseconds. */
const slowAfter = 1_000;
const scannedTogether = 500;
/** After so many failures in a row, a webhook is tried with one message at a time. */
const failuresUntilSlow = 5;

/** True if anything is due. */
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
    const max = Math.min(room, isFailing ? roomForFailing : room);
    if (max <= 0) continue;
    const deliveries = await claimOf(db, webhook, max, options);
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
  const repeated = await db
    .selectFrom("webhook_deliveries")
    .select("seq")
    .where("webhook_id", "=", webhook.id)
    .where("is_first", "=", 0)
    .where("due_at", "is not", null)
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(free)
    .execute();
  const first = isOthersTurn ? [] : await findFirstAttempts(db, webhook.id, free, now);
  // Failed deliveries never fill all places while a new one waits.
  const chosen = [...first.slice(0, free - Math.min(repeated.length, 1)), ...repeated.map(({ seq }) => seq)].slice(
    0,
    free,
  );
  if (chosen.length === 0) return [];
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "sending", due_at: now + claimFor, claimed_by: claimedBy })
    .where("seq", "in", chosen)
    .execute();
  const claimed = await db
    .selectFrom("webhook_deliveries")
    .select(["seq", "id", "webhook_id", "event", "event_count", "payload", "is_first", "reached_user_ids"])
    .where("seq", "in", chosen)
    .execute();
  return claimed
    .toSorted((a, b) => chosen.indexOf(a.seq) - chosen.indexOf(b.seq))
    .map(({ seq: _, ...delivery }) => delivery);
}

/**
 * Finds the first attempts that may leave now, in their order. One waits while an earlier message about the same thing has
 * neither been answered nor failed its first attempt: "up" must not arrive before "down". Those behind it wait with it, so that
 * all leave in the order of events, but only for as long as an answer takes that comes soon: then they pass.
 */
async function findFirstAttempts(db: Queries, webhookId: string, free: number, now: number): Promise<number[]> {
  const chosen: number[] = [];
  /** Subjects of earlier messages that are not over, and if their answers are slow. */
  const pending = new Map<string, { isSlow: boolean }>();
  let after = 0;
  for (;;) {
    const rows = await db
      .selectFrom("webhook_deliveries")
      .select(["seq", "subject", "task_id", "state", "due_at"])
      .where("webhook_id", "=", webhookId)
      .where("is_first", "=", 1)
      .where("due_at", "is not", null)
      .where("seq", ">", after)
      .orderBy("seq")
      .limit(scannedTogether)
      .execute();
    for (const { seq, subject, task_id, state, due_at } of rows) {
      after = seq;
      const about = [subject, task_id && `task ${task_id}`].filter((one) => one !== null);
      const isDue = due_at !== null && due_at <= now;
      const waitsFor = [...about, anySubject].flatMap((one) => pending.get(one) ?? []);
      const isBlocked = isDue && waitsFor.length > 0;
      if (isBlocked && waitsFor.some(({ isSlow }) => !isSlow)) return chosen;
      const canLeave = isDue && !isBlocked;
      if (canLeave) chosen.push(seq);
      if (chosen.length >= free) return chosen;
      // A message in flight counts as slow after a while; one that waits for its time or for others, at once.
      const isSlow = state === "sending" && !isDue ? (due_at ?? 0) - claimFor <= now - slowAfter : !canLeave;
      for (const one of about) pending.set(one, { isSlow });
    }
    if (rows.length < scannedTogether) return chosen;
  }
}
