import { deliveryStates } from "@holdfast/api/resources/webhook-words";
import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parsePast, parseWords } from "../../grammar/argument-parsers";
import { type ListFlags, listVerb, pageSize } from "../../grammar/list-verb";
import { findWebhookId } from "../../lookups/webhooks";
import { minute } from "../../output/moments";

export type Delivery = ItemOf<"webhook-deliveries", "read-webhook-delivery">;

interface DeliveryFlags extends ListFlags {
  webhook?: string;
  state?: string[];
  since?: string;
}

const usualLimit = 100;

/** Lists what webhooks have sent. */
export function listDeliveries(): Command {
  return listVerb<Delivery, DeliveryFlags, Delivery>({
    name: "log",
    description: "List what webhooks have sent and are going to send, newest first.",
    usualLimit,
    addOptions: (command) =>
      command
        .option("--webhook <webhook>", "Only of this webhook, by name or id.")
        .option("--state <list>", `Only in these states: ${deliveryStates.join(", ")}.`, parseWords(deliveryStates))
        .option("--since <time>", "Only from this moment on: a timestamp, a day, or how long ago (24h).", parsePast),
    examples: ["holdfast webhook log --webhook failures", "holdfast webhook log --state failed,dropped --since 7d"],
    async list(client, flags) {
      const { webhook, state, since } = flags;
      return client.webhookDeliveries.list({
        limit: pageSize(flags, usualLimit),
        filter: {
          ...(webhook === undefined ? {} : { webhook_id: await findWebhookId(client, webhook) }),
          ...(state === undefined ? {} : { state: { $in: state } }),
          ...(since === undefined ? {} : { created_timestamp: { $gte: since } }),
        },
      });
    },
    async rows(deliveries, { format, names }) {
      if (format === "table" || format === "csv") await names.webhooks.load(deliveries.map((one) => one.webhook_id));
      return deliveries;
    },
    shape: ({ webhooks }) => ({
      id: ({ id }) => id,
      columns: [
        {
          name: "created_timestamp",
          title: "WHEN (UTC)",
          value: (delivery) => delivery.created_timestamp,
          text: (delivery) => minute(delivery.created_timestamp),
        },
        {
          name: "webhook",
          title: "WEBHOOK",
          value: (delivery) => webhooks.of(delivery.webhook_id),
          canShrink: true,
        },
        { name: "event", title: "EVENT", value: (delivery) => delivery.event },
        { name: "state", title: "STATE", value: (delivery) => delivery.state, tone: ({ state }) => toneOf(state) },
        { name: "attempt_count", isExtra: true, title: "TRIES", value: (delivery) => String(delivery.attempt_count) },
        {
          name: "reason",
          isExtra: true,
          title: "LAST REASON",
          value: (delivery) => delivery.attempts.at(-1)?.reason ?? "",
          text: (delivery) => delivery.attempts.at(-1)?.reason ?? "-",
          canShrink: true,
        },
        {
          name: "task_id",
          title: "TASK",
          value: (delivery) => delivery.task_id ?? "",
          text: ({ task_id }) => task_id ?? "-",
        },
        { name: "id", title: "", value: (delivery) => delivery.id, isHidden: true },
        { name: "webhook_id", title: "", value: (delivery) => delivery.webhook_id, isHidden: true },
      ],
    }),
  });
}

function toneOf(state: Delivery["state"]) {
  if (state === "delivered") return "good";
  return state === "failed" || state === "dropped" ? "bad" : undefined;
}
