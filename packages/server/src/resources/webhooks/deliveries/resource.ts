import { webhookDeliveries, webhookDeliveryFilters } from "@holdfast/api/resources/webhook-deliveries";
import { implementRead } from "../../../operations/item-read";
import { implementList, type Renderers } from "../../../operations/read";
import type { ResourceDescription } from "../../resource-description";
import { type DeliveryRow, deliverySource } from "./list-deliveries";
import { presentDeliveryV1 } from "./present";
import { retryDelivery } from "./retry-delivery";

const renderers: Renderers<DeliveryRow> = { 1: (row) => JSON.stringify(presentDeliveryV1(row)) };

/** Messages that webhooks send. */
export const webhookDeliveryResource = {
  declaration: webhookDeliveries,
  reads: () => ({
    "list-webhook-deliveries": implementList(deliverySource, webhookDeliveryFilters, renderers),
    "read-webhook-delivery": implementRead(
      "webhook_delivery_id",
      ({ db }, scope, id) => deliverySource.find(db, scope, id),
      "delivery",
      renderers,
    ),
  }),
  changes: { "retry-webhook-delivery": retryDelivery },
  domain: "any",
  tables: {
    webhook_deliveries: { move: { key: ["seq"], numberedBy: "seq" }, domain: null, grows: true },
  },
} satisfies ResourceDescription<typeof webhookDeliveries>;
