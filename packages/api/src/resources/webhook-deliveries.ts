import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { deliveryStates } from "./webhook-words";

export const webhookDeliveryV1 = z.object({
  id: uuid.describe("The delivery's id. The header `webhook-id` of its messages is `msg_` and this."),
  webhook_id: uuid.describe("The webhook that it is sent by."),
  event: z.string().describe("What happened; `webhook.test` for a test."),
  task_id: z.string().nullable().describe("The task that it happened to; null for a test."),
  state: z
    .enum(deliveryStates)
    .describe(
      "`waiting` for its next attempt, being sent (`sending`), `delivered`, `failed` for good, or `dropped`: too many waited, or the webhook was switched off.",
    ),
  event_count: z.int().describe("How many alike events it stands for. Only messages to people count several together."),
  attempt_count: z.int().describe("How often it was tried to send it."),
  attempts: z
    .array(
      z.object({
        timestamp: timestamp.describe("When the attempt began."),
        status: z.int().nullable().describe("The HTTP status of the answer; null where there was none."),
        duration_ms: z.int().describe("How long it took."),
        reason: z.string().nullable().describe("Why it failed; null where it did not."),
      }),
    )
    .describe("The last attempts, oldest first."),
  next_attempt_timestamp: timestamp.nullable().describe("When it is tried next; null where it is not."),
  created_timestamp: timestamp.describe("When it happened."),
  _links: itemLinks,
});

export type WebhookDeliveryV1 = z.infer<typeof webhookDeliveryV1>;

const word = ["$eq", "$in", "$neq"] as const;

export const webhookDeliveryFilters = {
  webhook_id: { kind: "id", operators: ["$eq", "$in"], description: "The webhook that it is sent by." },
  state: { kind: "word", operators: word, description: "Where it stands." },
  event: { kind: "word", operators: word, description: "What happened." },
  task_id: { kind: "id", operators: ["$eq", "$in"], description: "The task that it happened to." },
  created_timestamp: {
    kind: "timestamp",
    operators: ["$gt", "$gte", "$lt", "$lte"],
    description: "When it happened.",
  },
} as const satisfies FilterFields;

export type WebhookDeliveryFilterField = keyof typeof webhookDeliveryFilters;

const path = "/webhook-deliveries";
const itemPath = "/webhook-deliveries/{webhook_delivery_id}";

export const webhookDeliveries = {
  name: "webhook-deliveries",
  description: "Messages that webhooks have sent and are going to send. Each is kept for 30 days.",
  volatileFields: [
    "state",
    "attempt_count",
    "attempts",
    "next_attempt_timestamp",
    "event_count",
  ] satisfies (keyof WebhookDeliveryV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-webhook-deliveries",
          method: "get",
          path,
          permission: "webhooks:read",
          summary: "List what the webhooks of the organizational unit and of those below it send, newest first.",
          example: `
            for await (const delivery of holdfast.webhookDeliveries.list({ filter: { state: "failed" } })) {
              console.log(delivery.event, delivery.attempts.at(-1)?.reason);
            }
          `,
          filters: webhookDeliveryFilters,
          item: webhookDeliveryV1,
        },
        {
          kind: "read",
          id: "read-webhook-delivery",
          method: "get",
          path: itemPath,
          permission: "webhooks:read",
          summary: "Read one delivery.",
          example:
            "const { state, next_attempt_timestamp } = await holdfast.webhookDeliveries.read(webhookDeliveryId);",
          item: webhookDeliveryV1,
        },
        {
          kind: "write",
          id: "retry-webhook-delivery",
          method: "post",
          path: `${itemPath}/retry`,
          permission: "webhooks:write",
          furtherPermissions: ["tasks:read"],
          summary: "Send a delivery again as soon as possible, with the same id.",
          example: "await holdfast.webhookDeliveries.retry(webhookDeliveryId);",
          status: 200,
          item: webhookDeliveryV1,
        },
      ],
    },
  ],
} as const satisfies Resource;
