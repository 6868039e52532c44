import { type Calls, readItem, sendChange } from "../calls";
import type { ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

type Key = ItemOf<"keys", "read-key">;

/** The keys that tokens are signed with. */
export interface Keys {
  /**
   * Lists the signing keys, the one that signs first.
   * @example
   * const [signing] = await holdfast.keys.list().first(1);
   */
  list(options?: Omit<ListOptions<never>, "filter">): Listing<Key>;
  /**
   * Reads one key, its public half.
   * @example
   * const { expires_timestamp } = await holdfast.keys.read(keyId);
   */
  read(id: string, options?: CallOptions): Promise<Key>;
  /**
   * Signs with a new key from now on. Tokens that exist stay good.
   * @example
   * await holdfast.keys.rotate();
   */
  rotate(options?: CreateOptions): Promise<Key>;
  /**
   * Retires a key: every token that it signed is refused at once.
   * @example
   * await holdfast.keys.retire(oldKeyId);
   */
  retire(id: string, options?: ChangeOptions): Promise<void>;
}

export function createKeys(calls: Calls): Keys {
  return {
    list: (options = {}) => listItems(calls, "keys", "list-keys", options),
    read: (id, options = {}) => readItem(calls, "keys", "read-key", { ...options, ids: [id] }),
    rotate: (options = {}) => sendChange(calls, "keys", "rotate-key", options),
    retire: (id, options = {}) => sendChange(calls, "keys", "retire-key", { ...options, ids: [id] }),
  };
}
