import { randomUUID } from "node:crypto";
import type { webhooks } from "@holdfast/api/resources/webhooks";
import { addUnsentWebhook } from "../webhooks/unsent";
import { type AddItem, changing, creating, listing, type ResourceSample, reading } from "./resource-sample";

const add: AddItem = (plane, unit) => addUnsentWebhook(plane, { token: plane.owner, unit });

export const webhookSample: ResourceSample<typeof webhooks> = {
  operations: {
    "list-webhooks": listing,
    "read-webhook": reading(add),
    "create-webhook": creating((organizational_unit_id) => ({
      name: randomUUID(),
      kind: "standard",
      url: "https://8.8.8.8/",
      events: ["task.failed"],
      organizational_unit_id,
    })),
    "update-webhook": changing(add, () => ({ name: "Renamed" })),
    "delete-webhook": changing(add),
    "rotate-webhook-secret": changing(add),
    "test-webhook": changing(add),
  },
  /** They come with their deliveries. */
  seed: async () => {},
};
