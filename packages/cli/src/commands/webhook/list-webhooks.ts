import { webhookKinds } from "@holdfast/api/resources/webhook-words";
import type { ItemOf } from "@holdfast/client";
import type { Command } from "commander";
import { parseWords } from "../../grammar/argument-parsers";
import { unitColumn } from "../../grammar/common-columns";
import { type ListFlags, listVerb, pageSize, withUnitNames } from "../../grammar/list-verb";
import { minute } from "../../output/moments";

export type Webhook = ItemOf<"webhooks", "read-webhook">;

interface WebhookFlags extends ListFlags {
  kind?: string[];
}

/** Lists webhooks. */
export function listWebhooks(): Command {
  return listVerb<Webhook, WebhookFlags, Webhook>({
    description: "List webhooks by name.",
    usualLimit: "all",
    searches: "their names",
    addOptions: (command) =>
      command.option("--kind <list>", `Only of these kinds: ${webhookKinds.join(", ")}.`, parseWords(webhookKinds)),
    examples: ["holdfast webhook", "holdfast webhook list --kind mail,slack"],
    list: (client, flags) =>
      client.webhooks.list({
        limit: pageSize(flags, "all"),
        filter: {
          ...(flags.search === undefined ? {} : { name: { $contains: flags.search } }),
          ...(flags.kind === undefined ? {} : { kind: { $in: flags.kind } }),
        },
      }),
    rows: withUnitNames,
    shape: ({ units }) => ({
      id: ({ id }) => id,
      columns: [
        { name: "name", title: "NAME", value: (webhook) => webhook.name, canShrink: true },
        { name: "kind", title: "KIND", value: (webhook) => webhook.kind },
        {
          name: "state",
          title: "STATE",
          value: stateOf,
          tone: (webhook) => (stateOf(webhook) === "on" ? "good" : "warning"),
        },
        {
          name: "last_success_timestamp",
          isExtra: true,
          title: "LAST SUCCESS (UTC)",
          value: (webhook) => webhook.last_success_timestamp ?? "",
          text: (webhook) => minute(webhook.last_success_timestamp),
        },
        unitColumn(units),
        { name: "id", title: "ID", value: (webhook) => webhook.id },
        {
          name: "events",
          isExtra: true,
          title: "EVENTS",
          value: (webhook) => webhook.events.join(" "),
          canShrink: true,
        },
        { name: "url", title: "", value: (webhook) => webhook.url ?? "", isHidden: true },
      ],
    }),
  });
}

function stateOf({ is_enabled, failures_in_a_row }: Webhook): string {
  if (!is_enabled) return "off";
  return failures_in_a_row > 0 ? `on, ${failures_in_a_row} failed` : "on";
}
