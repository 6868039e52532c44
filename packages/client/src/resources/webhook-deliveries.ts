import { type Calls, readItem, sendChange } from "../calls";
import type { FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { CreateOptions } from "./options";

const resource = "webhook-deliveries";
type Resource = typeof resource;
type WebhookDelivery = ItemOf<Resource, "read-webhook-delivery">;

/** What webhooks have sent and are going to send. */
export interface WebhookDeliveries {
  /**
   * Lists what webhooks send, newest first.
   * @example
   * for await (const delivery of holdfast.webhookDeliveries.list({ filter: { state: "failed" } })) {
   *   console.log(delivery.event, delivery.attempts.at(-1)?.reason);
   * }
   */
  list(options?: ListOptions<FilterOf<Resource, "list-webhook-deliveries">>): Listing<WebhookDelivery>;
  /**
   * Reads one delivery.
   * @example
   * const { state, next_attempt_timestamp } = await holdfast.webhookDeliveries.read(webhookDeliveryId);
   */
  read(id: string, options?: CallOptions): Promise<WebhookDelivery>;
  /**
   * Sends a delivery again as soon as possible, with the same id.
   * @example
   * await holdfast.webhookDeliveries.retry(webhookDeliveryId);
   */
  retry(id: string, options?: CreateOptions): Promise<WebhookDelivery>;
}

export function createWebhookDeliveries(calls: Calls): WebhookDeliveries {
  return {
    list: (options = {}) => listItems(calls, resource, "list-webhook-deliveries", options),
    read: (id, options = {}) => readItem(calls, resource, "read-webhook-delivery", { ...options, ids: [id] }),
    retry: (id, options = {}) => sendChange(calls, resource, "retry-webhook-delivery", { ...options, ids: [id] }),
  };
}
