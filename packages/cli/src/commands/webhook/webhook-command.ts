import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { changeVerb } from "../../grammar/change-verb";
import { deleteVerb } from "../../grammar/delete-verb";
import { noun } from "../../grammar/noun";
import { showVerb } from "../../grammar/show-verb";
import { findWebhookId, webhookArgument } from "../../lookups/webhooks";
import { createWebhook, enableWebhook, updateWebhook } from "./change-webhook";
import { listDeliveries } from "./list-deliveries";
import { listWebhooks, type Webhook } from "./list-webhooks";
import { testWebhook } from "./test-webhook";
import { webhookFacts } from "./webhook-facts";

/** Webhooks. */
export function webhookCommand(): Command {
  return noun("webhook", "Where news of tasks is sent to: programs, chats, phones, and people by mail.", [
    listWebhooks(),
    showVerb<Webhook>({
      description: "Show a webhook, without its secrets.",
      argument: webhookArgument,
      examples: ["holdfast webhook show failures"],
      read: async (client, given) => client.webhooks.read(await findWebhookId(client, given)),
      id: ({ id }) => id,
      facts: webhookFacts,
    }),
    createWebhook(),
    updateWebhook(),
    enableWebhook("enable", "Send events again.", true),
    enableWebhook("disable", "Send nothing. The events of the time in which it is off are not kept.", false),
    changeVerb<ItemOf<"webhooks", "rotate-webhook-secret">, object>({
      name: "rotate",
      description: "Give a webhook a new secret and print it. For a day the old one signs along.",
      argument: webhookArgument,
      examples: ["holdfast webhook rotate failures"],
      prints: "the secret",
      async change({ client }, given) {
        const item = await client.webhooks.rotateSecret(await findWebhookId(client, given));
        return { item, result: item.secret };
      },
    }),
    testWebhook(),
    listDeliveries(),
    deleteVerb({
      description: "Delete a webhook, with what waits to be sent.",
      argument: webhookArgument,
      examples: ["holdfast webhook delete failures"],
      find: ({ client }, given) => findWebhookId(client, given),
      nameOf: async ({ client }, id) => `the webhook ${(await client.webhooks.read(id)).name}`,
      remove: ({ client }, id) => client.webhooks.delete(id),
    }),
  ]);
}
