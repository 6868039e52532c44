import { randomUUID } from "node:crypto";
import type { Ask, Plane } from "../harness";

/** A webhook whose address is none of the internet, so that nothing is ever sent: attempts fail at once. */
export async function addUnsentWebhook(plane: Plane, ask: Ask, name: string = randomUUID()): Promise<string> {
  const body = { name, kind: "standard", url: "https://8.8.8.8/", events: ["task.failed"] };
  const made = await plane.ask("/webhooks", { method: "POST", ...ask, body });
  const id = String(made.body.id);
  await plane.database.change((db) =>
    db.updateTable("webhooks").set({ url: "https://192.0.2.1/" }).where("id", "=", id).execute(),
  );
  return id;
}

/** A delivery of such a webhook that has failed. */
export async function addUnsentDelivery(plane: Plane, ask: Ask, name?: string): Promise<string> {
  const webhookId = await addUnsentWebhook(plane, ask, name);
  const tested = await plane.ask(`/webhooks/${webhookId}/test`, { method: "POST", ...ask });
  return String(tested.body.id);
}
