import { randomUUID } from "node:crypto";
import { refuse } from "@holdfast/api/conventions/api-error";
import { testEvent } from "@holdfast/api/resources/webhook-words";
import { z } from "zod";
import type { Queries } from "../../database/database";
import { type ChangeImplementation, implementChange, type PreparingCall } from "../../operations/change";
import { findWebhook } from "./change-webhooks";
import type { SendingWebhook } from "./deliveries/claim-deliveries";
import { deliveryColumns } from "./deliveries/list-deliveries";
import { presentDeliveryV1 } from "./deliveries/present";
import { testPayload } from "./payload";
import { sendDelivery } from "./send-delivery";

/** Maximum number of tests of a webhook in a minute: a test reaches people, too. */
const testsPerMinute = 10;
const minute = 60_000;
/** The webhooks that this process tests just now. */
const beingTested = new Set<string>();

/**
 * Sends a test before the transaction, because nothing may wait for a receiver there, and notes then how it went. It is
 * tried once: the person who tests sees the answer.
 */
export const testWebhook: ChangeImplementation = implementChange(
  z.object({}),
  () => {
    throw new Error("A test is sent before it is noted.");
  },
  async (asked) => {
    const { parts } = asked;
    const { webhook, unit } = await parts.database.snapshot((db) => readTested(db, asked));
    const now = parts.clock();
    const id = randomUUID();
    const payload = JSON.stringify(testPayload(testEvent, now, unit));
    const result = await testOnce(webhook.id, () =>
      sendDelivery(parts, webhook, { id, event_count: 1, payload, reached_user_ids: "[]" }),
    );
    return async (call) => {
      const { db } = call;
      const row = await findWebhook(db, call.scope, call.variables);
      await db
        .insertInto("webhook_deliveries")
        .values({
          id,
          webhook_id: row.id,
          event: testEvent,
          task_id: null,
          event_count: 1,
          payload,
          state: result.isDelivered ? "delivered" : "failed",
          due_at: null,
          claimed_by: null,
          is_first: 0,
          failures: result.isDelivered ? 0 : 1,
          attempt_count: 1,
          attempts: JSON.stringify([result.attempt]),
          reached_user_ids: JSON.stringify(result.reachedUserIds),
          created_at: now,
        })
        .execute();
      const made = await db
        .selectFrom("webhook_deliveries")
        .select(deliveryColumns)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      const after = presentDeliveryV1(made);
      return {
        object: { type: "webhook", id: row.id },
        unitId: row.organizational_unit_id,
        after: { delivery_id: id, is_delivered: result.isDelivered, status: result.attempt.status },
        body: JSON.stringify(after),
      };
    };
  },
);

/** Tests that are asked for at the same moment could not count each other. */
async function testOnce<Result>(webhookId: string, send: () => Promise<Result>): Promise<Result> {
  if (beingTested.has(webhookId)) {
    throw refuse("stateConflict", "This webhook is being tested. Wait for the answer to that.");
  }
  beingTested.add(webhookId);
  try {
    return await send();
  } finally {
    beingTested.delete(webhookId);
  }
}

async function readTested(
  db: Queries,
  { parts, scope, variables }: PreparingCall,
): Promise<{ webhook: SendingWebhook; unit: { id: string; name: string } }> {
  const { id } = await findWebhook(db, scope, variables);
  const { count } = await db
    .selectFrom("webhook_deliveries")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("webhook_id", "=", id)
    .where("event", "=", testEvent)
    .where("created_at", ">", parts.clock() - minute)
    .executeTakeFirstOrThrow();
  if (Number(count) >= testsPerMinute) {
    throw refuse("rateExceeded", "This webhook was tested often enough. Test it again in a minute.", {
      "Retry-After": "60",
    });
  }
  const webhook = await db.selectFrom("webhooks").selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const unit = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("id", "=", webhook.organizational_unit_id)
    .executeTakeFirstOrThrow();
  return { webhook, unit };
}
