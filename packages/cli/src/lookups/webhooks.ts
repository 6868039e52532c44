import type { Client } from "@holdfast/client";
import { findId } from "./find-one";

export const webhookArgument = ["webhook", "The webhook, by name or id; see: holdfast webhook list"] as const;

/** The id of a webhook that is named by its id or its name. */
export function findWebhookId(client: Client, given: string): Promise<string> {
  return findId(given, {
    noun: "webhook",
    list: "webhook",
    named: (name) => client.webhooks.list({ filter: { name: { $eq: name } } }).first(20),
    describe: ({ kind, organizational_unit_id }) => `${kind} in ${organizational_unit_id}`,
  });
}
