import { Refusal } from "@holdfast/server/settings/refusal";
import type { Command } from "commander";
import { changeVerb } from "../../grammar/change-verb";
import { findWebhookId, webhookArgument } from "../../lookups/webhooks";
import { explain } from "../../output/write";
import type { Delivery } from "./list-deliveries";

export function testWebhook(): Command {
  return changeVerb<Delivery, object>({
    name: "test",
    description: "Send a test message now, once. The exit code is 1 if it was not taken.",
    argument: webhookArgument,
    examples: ["holdfast webhook test failures"],
    prints: "nothing",
    async change({ client }, given) {
      const item = await client.webhooks.test(await findWebhookId(client, given));
      const last = item.attempts.at(-1);
      if (item.state !== "delivered") throw new Refusal(`The test was not delivered: ${last?.reason ?? item.state}`);
      explain(`The test was delivered, and answered with ${last?.status ?? "success"}.`);
      return { item };
    },
  });
}
