import { readFileSync } from "node:fs";
import { errorMessage } from "@holdfast/api/conventions/error-message";
import { type WebhookEvent, webhookEvents } from "@holdfast/api/resources/webhook-words";
import type { Command } from "commander";

import { changeVerb } from "../../grammar/change-verb";

import { resourceNoun } from "../../grammar/resource-noun";
import { UsageError } from "../../grammar/usage-error";
import { findWebhookId, webhookArgument } from "../../lookups/webhooks";
import { hidden } from "../../output/columns";
import { listDeliveries } from "./list-deliveries";
import { testWebhook } from "./test-webhook";
import { type Webhook, webhookFacts } from "./webhook-facts";

/** Events that most people want to receive first. */
const defaultEvents: WebhookEvent[] = ["monitor.down", "monitor.up", "task.failed", "task.lost", "entity.stale"];

const name = "Its name.";

const fields = {
  url: { flags: "--target <url>", text: "Where to send to, https. (required by all kinds but mail)" },
  events: {
    text: "What to send, of {words}.",
    value: (given: unknown) => webhookEvents.filter((event) => Array.isArray(given) && given.includes(event)),
  },
  filter: 'A filter of tasks, such as {"category":"backup"}.',
  recipient_user_ids: {
    flags: "--recipients <list>",
    text: "Users, by e-mail address or id, with commas. (required by mail, and only for it)",
  },
  remind_after: {
    flags: "--remind-after <interval>",
    text: "Remind of what stays down: {words}. (default: daily, and never for standard)",
  },
  authorization: {
    flags: "--authorization-file <file>",
    text: "A file with the value of the Authorization header, such as Bearer ….",
    value: (path: unknown) => readLine(String(path)),
  },
};

/** Webhooks. */
export function webhookCommand(): Command {
  return resourceNoun<"webhooks", Webhook>({
    name: "webhook",
    description: "Where news of tasks is sent to: programs, chats, phones, and people by mail.",
    resource: "webhooks",
    calls: ({ webhooks }) => webhooks,
    columns: [
      "name",
      "kind",
      { name: "state", title: "STATE", value: stateOf, tone: (one) => (stateOf(one) === "on" ? "good" : "warning") },
      { name: "last_success_timestamp", isExtra: true },
      "organizational_unit_id",
      "id",
      { name: "events", isExtra: true, canShrink: true },
      ...hidden("url"),
    ],
    facts: webhookFacts,
    list: {
      description: "List webhooks by name.",
      filters: { name: "Only those with this in their names.", kind: "Only of these kinds: {words}." },
      examples: ["holdfast webhook", "holdfast webhook list --kind mail,slack"],
    },
    show: { description: "Show a webhook, without its secrets.", examples: ["holdfast webhook show failures"] },
    create: {
      description:
        "Create a webhook and print the secret that signs its messages, shown this once; other kinds print the id.",
      fields: { name, kind: "How to send: {words}.", ...fields },
      unit: "It is notified of the tasks of this organizational unit and below. (default: that of the token)",
      examples: [
        "SECRET=$(holdfast webhook create --name failures --kind standard --target https://hooks.example.org/holdfast)",
        "holdfast webhook create --name chat --kind slack --target https://chat.example.org/hooks/abc --events task.failed",
        "holdfast webhook create --name on-call --kind mail --recipients ada@example.org --unit Berlin",
      ],
      help: `Without --events: ${defaultEvents.join(", ")}`,
      defaults: { events: defaultEvents },
      prints: ["the secret, or the id", ({ secret, id }) => secret ?? id],
    },
    update: {
      description: "Change a webhook.",
      fields: { name, ...fields },
      examples: ["holdfast webhook update failures --events task.failed,task.lost,monitor.down"],
    },
    updates: {
      enable: {
        description: "Send events again.",
        body: { is_enabled: true },
        examples: ["holdfast webhook enable failures"],
      },
      disable: {
        description: "Send nothing. The events of the time in which it is off are not kept.",
        body: { is_enabled: false },
        examples: ["holdfast webhook disable failures"],
      },
    },
    verbs: [
      changeVerb<Webhook, object>({
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
    ],
    delete: {
      description: "Delete a webhook, with what waits to be sent.",
      examples: ["holdfast webhook delete failures"],
    },
  });
}

function readLine(path: string): string {
  try {
    return readFileSync(path, "utf8").trim();
  } catch (error) {
    throw new UsageError(`The file ${path} cannot be read (${errorMessage(error)}). Name another one.`);
  }
}

function stateOf({ is_enabled, failures_in_a_row }: Webhook): string {
  if (!is_enabled) return "off";
  return failures_in_a_row > 0 ? `on, ${failures_in_a_row} failed` : "on";
}
