import { webhookDeliveryFilters } from "@holdfast/api/resources/webhook-deliveries";
import { webhookFilters } from "@holdfast/api/resources/webhooks";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from "./change-webhooks";
import { type DeliveryRow, deliverySource } from "./deliveries/list-deliveries";
import { presentDeliveryV1 } from "./deliveries/present";
import { retryDelivery } from "./deliveries/retry-delivery";
import { type WebhookRow, webhookSource } from "./list-webhooks";
import { presentWebhookV1 } from "./present";
import { testWebhook } from "./test-webhook";

const webhooks: Renderers<WebhookRow> = { 1: (row) => JSON.stringify(presentWebhookV1(row)) };
const deliveries: Renderers<DeliveryRow> = { 1: (row) => JSON.stringify(presentDeliveryV1(row)) };

export const webhookReadings: Record<string, Implementation> = {
  "list-webhooks": implementList(webhookSource, webhookFilters, webhooks),
  "read-webhook": implementRead(
    "webhook_id",
    ({ db }, scope, id) => webhookSource.find(db, scope, id),
    "webhook",
    webhooks,
  ),
  "list-webhook-deliveries": implementList(deliverySource, webhookDeliveryFilters, deliveries),
  "read-webhook-delivery": implementRead(
    "webhook_delivery_id",
    ({ db }, scope, id) => deliverySource.find(db, scope, id),
    "delivery",
    deliveries,
  ),
};

export const webhookChanges: Record<string, ChangeImplementation> = {
  "create-webhook": createWebhook,
  "update-webhook": updateWebhook,
  "delete-webhook": deleteWebhook,
  "rotate-webhook-secret": rotateWebhookSecret,
  "test-webhook": testWebhook,
  "retry-webhook-delivery": retryDelivery,
};
