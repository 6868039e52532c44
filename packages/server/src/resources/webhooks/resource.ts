import { webhookFilters, webhooks } from "@holdfast/api/resources/webhooks";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createWebhook, deleteWebhook, rotateWebhookSecret, updateWebhook } from "./change-webhooks";
import { type WebhookRow, webhookSource } from "./list-webhooks";
import { presentWebhookV1 } from "./present";
import { testWebhook } from "./test-webhook";

const renderers: Renderers<WebhookRow> = { 1: (row) => JSON.stringify(presentWebhookV1(row)) };

/** Addresses and people that hear of events. */
export const webhookResource = {
  declaration: webhooks,
  reads: () => ({
    "list-webhooks": implementList(webhookSource, webhookFilters, renderers),
    "read-webhook": implementRead(
      "webhook_id",
      ({ db }, scope, id) => webhookSource.find(db, scope, id),
      "webhook",
      renderers,
    ),
  }),
  changes: {
    "create-webhook": createWebhook,
    "update-webhook": updateWebhook,
    "delete-webhook": deleteWebhook,
    "rotate-webhook-secret": rotateWebhookSecret,
    "test-webhook": testWebhook,
  },
  domain: "any",
  tables: {
    webhooks: { move: { key: ["id"], numberedBy: "seq" }, domain: null, inUnit: { noun: "webhooks" } },
  },
} satisfies ResourceDescription<typeof webhooks>;
