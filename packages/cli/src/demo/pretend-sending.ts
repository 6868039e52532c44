import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { Queries } from "@holdfast/server/database/database";
import { type Claim, claimDeliveries } from "@holdfast/server/resources/webhooks/deliveries/claim-deliveries";
import { type AttemptResult, finishDeliveries } from "@holdfast/server/resources/webhooks/deliveries/finish-deliveries";
import type { Random } from "./random";

export interface Receivers {
  random: Random;
  /** True if the receiver of a webhook takes messages. */
  isReached: (webhookId: string) => boolean;
}

const claimedBy = "demo";
const room = { room: 32, roomForFailing: 24 } as const;

/** Lets the queue of deliveries run up to a moment, as the service would, but sends nothing: how attempts went is made up. */
export async function sendUntil(db: Queries, until: number, receivers: Receivers): Promise<void> {
  let after = -1;
  for (;;) {
    const now = await nextDue(db, after);
    if (now === null || now > until) return;
    const claims = await claimDeliveries(db, { now, claimedBy, ...room });
    // A delivery that is due may wait for an earlier message about the same thing.
    after = claims.length === 0 ? now : -1;
    const finished = claims.map((claim) => ({
      id: claim.delivery.id,
      webhookId: claim.webhook.id,
      result: answer(claim, now, receivers),
    }));
    await finishDeliveries(db, finished, { now, claimedBy, random: receivers.random.fraction });
  }
}

async function nextDue(db: Queries, after: number): Promise<number | null> {
  const { due } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.min<number | null>("due_at").as("due"))
    .where("due_at", ">", after)
    .executeTakeFirstOrThrow();
  return due === null ? null : Number(due);
}

function answer({ webhook }: Claim, now: number, { random, isReached }: Receivers): AttemptResult {
  const isDelivered = isReached(webhook.id);
  const status = isDelivered ? random.pick([200, 200, 204]) : random.pick([502, 503, 503]);
  return {
    attempt: {
      timestamp: formatTimestamp(now),
      status,
      duration_ms: random.whole(35, 420),
      reason: isDelivered ? null : `The receiver answered ${status}.`,
    },
    isDelivered,
    retryAfter: null,
    isGone: false,
    reachedUserIds: [],
  };
}
