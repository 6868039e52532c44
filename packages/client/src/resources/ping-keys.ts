import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

const resource = "ping-keys";
type Resource = typeof resource;
type PingKey = ItemOf<Resource, "read-ping-key">;

/** Keys that ping the monitors of an organizational unit by their slugs. */
export interface PingKeys {
  /**
   * Lists the ping keys of the organizational unit and of those below it, newest first.
   * @example
   * for await (const key of holdfast.pingKeys.list()) console.log(key.name, key.may_create);
   */
  list(options?: ListOptions<FilterOf<Resource, "list-ping-keys">>): Listing<PingKey>;
  /**
   * Reads one ping key, without the key itself.
   * @example
   * const { default_period_seconds } = await holdfast.pingKeys.read(pingKeyId);
   */
  read(id: string, options?: CallOptions): Promise<PingKey>;
  /**
   * Creates a ping key. It is in the answer, this once; an answer that is repeated has none.
   * @example
   * const { key } = await holdfast.pingKeys.create({ name: "Backrest hosts", may_create: true });
   */
  create(
    body: BodyOf<Resource, "create-ping-key">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "create-ping-key">>;
  /**
   * Deletes a ping key: pings with it are refused at once.
   * @example
   * await holdfast.pingKeys.delete(pingKeyId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

export function createPingKeys(calls: Calls): PingKeys {
  return {
    list: (options = {}) => listItems(calls, resource, "list-ping-keys", options),
    read: (id, options = {}) => readItem(calls, resource, "read-ping-key", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, resource, "create-ping-key", options, body),
    delete: (id, options = {}) => sendChange(calls, resource, "delete-ping-key", { ...options, ids: [id] }),
  };
}
