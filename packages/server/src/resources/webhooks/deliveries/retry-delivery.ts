import { refuse } from "@holdfast/api/conventions/api-error";
import { canonicalId } from "@holdfast/api/conventions/uuid";
import { z } from "zod";
import { type ChangeCall, type ChangeImplementation, implementChange } from "../../../operations/change";
import { variableOf } from "../../../operations/path-variables";
import { type DeliveryRow, deliverySource } from "./list-deliveries";
import { presentDeliveryV1 } from "./present";

/** Lets a delivery be sent again as soon as possible, from the beginning of the schedule, whatever became of it. */
export const retryDelivery: ChangeImplementation = implementChange(z.object({}), async (call) => {
  const { db, now } = call;
  const row = await requireDelivery(call);
  call.requireMatch(JSON.stringify(presentDeliveryV1(row)));
  const webhook = await db
    .selectFrom("webhooks")
    .select(["is_enabled", "organizational_unit_id"])
    .where("id", "=", row.webhook_id)
    .executeTakeFirstOrThrow();
  if (webhook.is_enabled === 0) {
    throw refuse("stateConflict", "The webhook of this delivery is switched off. Switch it on first.");
  }
  // A claim that has run out belongs to a process that is gone.
  if (row.state === "sending" && (row.due_at ?? 0) > now) {
    throw refuse("stateConflict", "This delivery is being sent. Look at how that goes first.");
  }
  await db
    .updateTable("webhook_deliveries")
    .set({ state: "waiting", due_at: now, claimed_by: null, is_first: 0, failures: 0, reached_user_ids: "[]" })
    .where("id", "=", row.id)
    .execute();
  const after = await requireDelivery(call);
  return {
    object: { type: "webhook-delivery", id: row.id },
    unitId: webhook.organizational_unit_id,
    before: { state: row.state },
    after: { state: after.state },
    body: JSON.stringify(presentDeliveryV1(after)),
  };
});

async function requireDelivery({ db, scope, variables }: ChangeCall): Promise<DeliveryRow> {
  const row = await deliverySource.find(db, scope, canonicalId(variableOf(variables, "webhook_delivery_id")));
  if (!row) throw refuse("itemUnknown", "There is no such delivery, or you may not see it.");
  return row;
}
