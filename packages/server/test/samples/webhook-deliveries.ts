import type { webhookDeliveries } from "@holdfast/api/resources/webhook-deliveries";
import { addUnsentDelivery } from "../webhooks/unsent";
import { type AddItem, changing, listing, names, type ResourceSample, reading } from "./resource-sample";

const add: AddItem = (plane, unit) => addUnsentDelivery(plane, { token: plane.owner, unit });

export const webhookDeliverySample: ResourceSample<typeof webhookDeliveries> = {
  operations: {
    "list-webhook-deliveries": listing,
    "read-webhook-delivery": reading(add),
    "retry-webhook-delivery": changing(add),
  },
  async seed(plane, several, one) {
    for (const name of names) await addUnsentDelivery(plane, { token: plane.owner, unit: several }, name);
    await addUnsentDelivery(plane, { token: plane.owner, unit: one }, "South");
  },
};
