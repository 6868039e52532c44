import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { resourceList } from "../../grammar/resource-list";
import { hidden } from "../../output/columns";

export type Delivery = ItemOf<"webhook-deliveries", "read-webhook-delivery">;

/** Lists what webhooks have sent. */
export function listDeliveries(): Command {
  return resourceList<"webhook-deliveries", Delivery>({
    name: "webhook",
    resource: "webhook-deliveries",
    calls: ({ webhookDeliveries }) => webhookDeliveries,
    list: {
      verb: "log",
      description: "List what webhooks have sent and are going to send, newest first.",
      defaultLimit: 100,
      filters: {
        webhook_id: { flags: "--webhook <webhook>", text: "Only of this webhook, by name or id." },
        state: "Only in these states: {words}.",
        created_timestamp: {},
      },
      examples: ["holdfast webhook log --webhook failures", "holdfast webhook log --state failed,dropped --since 7d"],
    },
    async rows(deliveries, { format, names }) {
      if (format === "table" || format === "csv") await names.webhooks.load(deliveries.map((one) => one.webhook_id));
      return deliveries;
    },
    columns: ({ webhooks }) => [
      { name: "created_timestamp", title: "WHEN (UTC)" },
      { name: "webhook", title: "WEBHOOK", value: ({ webhook_id }) => webhooks.of(webhook_id), canShrink: true },
      "event",
      { name: "state", tone: ({ state }) => toneOf(state) },
      { name: "attempt_count", isExtra: true, title: "TRIES" },
      {
        name: "reason",
        isExtra: true,
        title: "LAST REASON",
        value: ({ attempts }) => attempts.at(-1)?.reason ?? "",
        text: ({ attempts }) => attempts.at(-1)?.reason ?? "-",
        canShrink: true,
      },
      { name: "task_id", title: "TASK", text: ({ task_id }) => task_id ?? "-" },
      ...hidden("id", "webhook_id"),
    ],
  });
}

function toneOf(state: Delivery["state"]) {
  if (state === "delivered") return "good";
  return state === "failed" || state === "dropped" ? "bad" : undefined;
}
