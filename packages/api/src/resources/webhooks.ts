import { z } from "zod";
import { idField, lineField, listField, textField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { listLimits, textLimits } from "../conventions/text-limits";
import { webhookDeliveryV1 } from "./webhook-deliveries";
import { reminderIntervals, webhookEvents, webhookKinds } from "./webhook-words";

export const webhookV1 = z.object({
  id: uuid.describe("The webhook's id."),
  name: z.string().describe("Its name."),
  organizational_unit_id: uuid.describe("It is notified of the tasks of this unit and of those below it."),
  kind: z
    .enum(webhookKinds)
    .describe("`standard` is signed JSON, `slack` a chat message, `ntfy` a push message, `mail` an e-mail."),
  url: z.string().nullable().describe("Where it sends to; null for `mail`."),
  has_authorization: z.boolean().describe("Whether it sends an `Authorization` header. Its value is never shown."),
  recipient_user_ids: z
    .array(uuid)
    .describe("The users who get its mail, as long as they may see the tasks of the unit; none for other kinds."),
  events: z.array(z.enum(webhookEvents)).describe("What it is sent for."),
  filter: z
    .record(z.string(), z.unknown())
    .nullable()
    .describe("A filter of tasks, as `GET /tasks` takes it, that the task has to match; null where any task does."),
  remind_after: z
    .enum(reminderIntervals)
    .describe("How often it reminds of what stays down: monitors and items for whose failures it is sent."),
  is_enabled: z.boolean().describe("Whether events are sent. Those of the time in which it is off are not kept."),
  disabled_reason: z.string().nullable().describe("Why the service has switched it off, or null."),
  last_success_timestamp: timestamp.nullable().describe("When something was last delivered."),
  failures_in_a_row: z.int().describe("How many attempts have failed since."),
  created_timestamp: timestamp.describe("When it was made."),
  _links: itemLinks,
});

/** The response to creating a webhook or rotating its secret: the only one that shows it. */
const webhookWithSecretV1 = webhookV1.extend({
  secret: z
    .string()
    .optional()
    .describe("What messages of the kind `standard` are signed with, shown this once and never again."),
});

export type WebhookV1 = z.infer<typeof webhookV1>;

export const webhookFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The webhook's id." },
  kind: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "How it sends." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The organizational unit that it belongs to, without those below it.",
  },
} as const satisfies FilterFields;

export type WebhookFilterField = keyof typeof webhookFilters;

const path = "/webhooks";
const itemPath = "/webhooks/{webhook_id}";
const name = lineField(textLimits.name).describe(`Name, 1 to ${textLimits.name} characters.`);
const url = textField(textLimits.webhookUrl)
  .meta({ format: "uri" })
  .describe("Where to send to: https, and an address of the internet, unless `webhook_allowed_targets` names another.");
const authorization = textField(textLimits.webhookAuthorization)
  .nullable()
  .describe("The value of the `Authorization` header, such as `Bearer …`, for `standard` and `ntfy`; null for none.");
const recipients = listField(idField(), listLimits.webhookRecipients).describe(
  `For \`mail\`: 1 to ${listLimits.webhookRecipients} users who may see the tasks of the unit.`,
);
const events = listField(z.enum(webhookEvents), listLimits.webhookEvents).describe("What to send, at least one.");
const filterExample = 'such as {"category":"backup"}';
const filterValue = z.union([
  textField(textLimits.filter),
  listField(textField(textLimits.filter), listLimits.filterValues),
]);
const filter = z
  .union(
    [
      z.record(
        textField(textLimits.filterField),
        z.union([textField(textLimits.filter), z.record(textField(textLimits.filterOperator), filterValue)]),
      ),
      textField(textLimits.filter),
    ],
    `a filter of tasks, ${filterExample}`,
  )
  .nullable()
  .describe("A filter of tasks, as `GET /tasks` takes it, as an object or as text; null for none.");
const remindAfter = z
  .enum(reminderIntervals)
  .describe(
    "How often to remind of what stays down. By default `daily` for kinds that reach people, and `never` for `standard`.",
  );
const isEnabled = z.boolean().describe("Whether events are sent, by default true.");

export const webhookBodies = {
  create: z
    .object({
      name,
      kind: webhookV1.shape.kind,
      organizational_unit_id: idField().optional().describe("By default the unit that is acted in."),
      url: url.optional(),
      authorization: authorization.optional(),
      recipient_user_ids: recipients.optional(),
      events,
      filter: filter.optional(),
      remind_after: remindAfter.optional(),
      is_enabled: isEnabled.optional(),
    })
    .meta({
      examples: [
        {
          name: "Failures to our program",
          kind: "standard",
          url: "https://hooks.example.org/holdfast",
          events: ["task.failed", "task.lost"],
        },
      ],
    }),
  update: z
    .object({
      name: name.optional(),
      url: url.optional(),
      authorization: authorization.optional(),
      recipient_user_ids: recipients.optional(),
      events: events.optional(),
      filter: filter.optional(),
      remind_after: remindAfter.optional(),
      is_enabled: isEnabled.optional().describe("Whether events are sent. To switch it on again forgets its failures."),
    })
    .meta({ examples: [{ events: ["task.failed", "monitor.down", "monitor.up"], remind_after: "weekly" }] }),
};

const write = { permission: "webhooks:write", furtherPermissions: ["tasks:read"] } as const;

export const webhooks = {
  name: "webhooks",
  description: "Notifications of what becomes of tasks: to programs, chats, phones, and people by mail.",
  volatileFields: ["last_success_timestamp", "failures_in_a_row"] satisfies (keyof WebhookV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-webhooks",
          hasSecrets: true,
          method: "get",
          path,
          permission: "webhooks:read",
          summary: "List the webhooks of the organizational unit and of those below it, by name.",
          example:
            "for await (const webhook of holdfast.webhooks.list()) console.log(webhook.name, webhook.failures_in_a_row);",
          filters: webhookFilters,
          item: webhookV1,
        },
        {
          kind: "read",
          id: "read-webhook",
          hasSecrets: true,
          method: "get",
          path: itemPath,
          permission: "webhooks:read",
          summary: "Read one webhook, without its secrets.",
          example: "const { disabled_reason } = await holdfast.webhooks.read(webhookId);",
          item: webhookV1,
        },
        {
          kind: "write",
          id: "create-webhook",
          method: "post",
          path,
          ...write,
          summary: "Create a webhook. The secret that signs its messages is in this answer alone.",
          example: `
            const { secret } = await holdfast.webhooks.create({
              name: "Failures",
              kind: "standard",
              url: "https://hooks.example.org/holdfast",
              events: ["task.failed", "task.lost"],
              filter: { category: "backup" },
            });
          `,
          body: webhookBodies.create,
          status: 201,
          item: webhookWithSecretV1,
        },
        {
          kind: "write",
          id: "update-webhook",
          method: "patch",
          path: itemPath,
          ...write,
          summary: "Change a webhook, or switch it off or on.",
          example: "await holdfast.webhooks.update(webhookId, { is_enabled: false });",
          body: webhookBodies.update,
          status: 200,
          item: webhookV1,
        },
        {
          kind: "write",
          id: "delete-webhook",
          method: "delete",
          path: itemPath,
          ...write,
          summary: "Delete a webhook, with what waits to be sent.",
          example: "await holdfast.webhooks.delete(webhookId);",
          status: 204,
        },
        {
          kind: "write",
          id: "rotate-webhook-secret",
          method: "post",
          path: `${itemPath}/rotate`,
          ...write,
          summary: "Give a webhook a new secret. For 24 hours messages are signed with the old one as well.",
          example: "const { secret } = await holdfast.webhooks.rotateSecret(webhookId);",
          status: 200,
          item: webhookWithSecretV1,
        },
        {
          kind: "write",
          id: "test-webhook",
          method: "post",
          path: `${itemPath}/test`,
          ...write,
          summary: "Send a test message now, once, and answer with how that went.",
          example: "const { state, attempts } = await holdfast.webhooks.test(webhookId);",
          status: 200,
          item: webhookDeliveryV1,
        },
      ],
    },
  ],
} as const satisfies Resource;
