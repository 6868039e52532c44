import type { WebhookDeliveryV1 } from "@holdfast/api/resources/webhook-deliveries";
import { z } from "zod";
import type { Queries } from "../../../database/database";
import { dropWaiting } from "./delivery-store";
import { nextAttempt } from "./schedule";

export type DeliveryAttempt = WebhookDeliveryV1["attempts"][number];

/** Result of an attempt. */
export interface AttemptResult {
  attempt: DeliveryAttempt;
  isDelivered: boolean;
  /** Value of Retry-After that the receiver sent. */
  retryAfter: string | null;
  /** True if the receiver wants no more messages at all. */
  isGone: boolean;
  /** Whom a mail has reached by now. */
  reachedUserIds: readonly string[];
}

/** An attempt that has come to its end, or that was broken off because the process stops: then there is no result. */
export interface FinishedDelivery {
  id: string;
  webhookId: string;
  result: AttemptResult | undefined;
}

/** A webhook that was switched off. */
export interface DisabledWebhook {
  id: string;
  organizational_unit_id: string;
  name: string;
  reason: string;
}

const attemptsKept = 12;
/** When a webhook is switched off: after so many failures in a row, over so long a time. */
const maxFailures = 20;
const maxFailingMs = 5 * 86_400_000;

const storedAttempts = z.array(
  z.object({ timestamp: z.string(), status: z.int().nullable(), duration_ms: z.int(), reason: z.string().nullable() }),
);

/** Outcome of a delivery, for counting. */
export type DeliveryOutcome = "delivered" | "failed" | "given_up";

/** Reads the attempts of a delivery. */
export function readAttempts(stored: string): DeliveryAttempt[] {
  return storedAttempts.parse(JSON.parse(stored));
}

/**
 * Notes how attempts went and when the next is due, and switches off webhooks that do not work. A delivery that another
 * process has claimed meanwhile is left to that one.
 */
export async function finishDeliveries(
  db: Queries,
  finished: readonly FinishedDelivery[],
  { now, claimedBy, random }: { now: number; claimedBy: string; random: () => number },
): Promise<{ fates: DeliveryOutcome[]; disabled: DisabledWebhook[] }> {
  const fates: DeliveryOutcome[] = [];
  for (const { id, result } of finished) {
    const row = await db
      .selectFrom("webhook_deliveries")
      .select(["failures", "attempt_count", "attempts"])
      .where("id", "=", id)
      .where("state", "=", "sending")
      .where("claimed_by", "=", claimedBy)
      .executeTakeFirst();
    if (!row) continue;
    const update = db.updateTable("webhook_deliveries").where("id", "=", id);
    if (!result) {
      await update.set({ state: "waiting", due_at: now, claimed_by: null }).execute();
      continue;
    }
    const failures = row.failures + (result.isDelivered ? 0 : 1);
    const next =
      result.isDelivered || result.isGone
        ? undefined
        : nextAttempt(failures, { now, retryAfter: result.retryAfter, chance: random() });
    const fate: DeliveryOutcome = result.isDelivered ? "delivered" : next === undefined ? "given_up" : "failed";
    fates.push(fate);
    await update
      .set({
        state: fate === "delivered" ? "delivered" : fate === "failed" ? "waiting" : "failed",
        due_at: next ?? null,
        claimed_by: null,
        is_first: 0,
        failures,
        attempt_count: row.attempt_count + 1,
        attempts: JSON.stringify([...readAttempts(row.attempts), result.attempt].slice(-attemptsKept)),
        reached_user_ids: JSON.stringify(result.reachedUserIds),
      })
      .execute();
  }
  return { fates, disabled: await noteOnWebhooks(db, finished, now) };
}

/** Notes on webhooks how their attempts went, in the order in which they ended. */
async function noteOnWebhooks(
  db: Queries,
  finished: readonly FinishedDelivery[],
  now: number,
): Promise<DisabledWebhook[]> {
  const disabled: DisabledWebhook[] = [];
  for (const [id, ofOne] of Map.groupBy(finished, ({ webhookId }) => webhookId)) {
    const results = ofOne.flatMap(({ result }) => result ?? []);
    const row = await db
      .selectFrom("webhooks")
      .select(["name", "organizational_unit_id", "is_enabled", "failures_in_a_row", "failing_since"])
      .where("id", "=", id)
      .executeTakeFirst();
    if (!row || results.length === 0) continue;
    const lastSuccess = results.findLastIndex(({ isDelivered }) => isDelivered);
    const failures = lastSuccess < 0 ? row.failures_in_a_row + results.length : results.length - 1 - lastSuccess;
    const since = failures === 0 ? null : ((lastSuccess < 0 ? row.failing_since : null) ?? now);
    await db
      .updateTable("webhooks")
      .set({
        failures_in_a_row: failures,
        failing_since: since,
        ...(lastSuccess < 0 ? {} : { last_success_at: now }),
      })
      .where("id", "=", id)
      .execute();
    const reason = whyDisabled(results, failures, now - (since ?? now));
    if (reason === undefined || row.is_enabled === 0) continue;
    await db.updateTable("webhooks").set({ is_enabled: 0, disabled_reason: reason }).where("id", "=", id).execute();
    await dropWaiting(db, id);
    disabled.push({ id, organizational_unit_id: row.organizational_unit_id, name: row.name, reason });
  }
  return disabled;
}

function whyDisabled(results: readonly AttemptResult[], failures: number, failingFor: number): string | undefined {
  if (results.some(({ isGone }) => isGone)) return "The receiver answered 410: it wants no more messages.";
  if (failures < maxFailures || failingFor < maxFailingMs) return undefined;
  return `Nothing was delivered for 5 days, in ${failures} attempts. Correct it, and switch it on again.`;
}
