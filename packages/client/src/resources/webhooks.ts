import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

const resource = "webhooks";
type Resource = typeof resource;
type Webhook = ItemOf<Resource, "read-webhook">;

/** Notifications of what becomes of tasks: to programs, chats, phones, and people by mail. */
export interface Webhooks {
  /**
   * Lists the webhooks of the organizational unit and of those below it, by name.
   * @example
   * for await (const webhook of holdfast.webhooks.list()) console.log(webhook.name, webhook.failures_in_a_row);
   */
  list(options?: ListOptions<FilterOf<Resource, "list-webhooks">>): Listing<Webhook>;
  /**
   * Reads one webhook, without its secrets.
   * @example
   * const { disabled_reason } = await holdfast.webhooks.read(webhookId);
   */
  read(id: string, options?: CallOptions): Promise<Webhook>;
  /**
   * Creates a webhook. The secret that signs its messages is in the answer, this once; an answer that is repeated has none.
   * @example
   * const { secret } = await holdfast.webhooks.create({
   *   name: "Failures",
   *   kind: "standard",
   *   url: "https://hooks.example.org/holdfast",
   *   events: ["task.failed", "task.lost"],
   *   filter: { category: "backup" },
   * });
   */
  create(
    body: BodyOf<Resource, "create-webhook">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "create-webhook">>;
  /**
   * Changes a webhook, or switches it off or on.
   * @example
   * await holdfast.webhooks.update(webhookId, { is_enabled: false });
   */
  update(id: string, body: BodyOf<Resource, "update-webhook">, options?: ChangeOptions): Promise<Webhook>;
  /**
   * Deletes a webhook, with what waits to be sent.
   * @example
   * await holdfast.webhooks.delete(webhookId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
  /**
   * Gives a webhook a new secret, which is in the answer, this once. For a day the old one signs along.
   * @example
   * const { secret } = await holdfast.webhooks.rotateSecret(webhookId);
   */
  rotateSecret(id: string, options?: CreateOptions): Promise<ItemOf<Resource, "rotate-webhook-secret">>;
  /**
   * Sends a test message now, once, and says how that went.
   * @example
   * const { state, attempts } = await holdfast.webhooks.test(webhookId);
   */
  test(id: string, options?: CreateOptions): Promise<ItemOf<Resource, "test-webhook">>;
}

export function createWebhooks(calls: Calls): Webhooks {
  return {
    list: (options = {}) => listItems(calls, resource, "list-webhooks", options),
    read: (id, options = {}) => readItem(calls, resource, "read-webhook", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, resource, "create-webhook", options, body),
    update: (id, body, options = {}) => sendChange(calls, resource, "update-webhook", { ...options, ids: [id] }, body),
    delete: (id, options = {}) => sendChange(calls, resource, "delete-webhook", { ...options, ids: [id] }),
    rotateSecret: (id, options = {}) => sendChange(calls, resource, "rotate-webhook-secret", { ...options, ids: [id] }),
    test: (id, options = {}) => sendChange(calls, resource, "test-webhook", { ...options, ids: [id] }),
  };
}
