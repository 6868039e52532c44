import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf, SortOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions } from "./options";

const resource = "entities";
type Resource = typeof resource;
type Entity = ItemOf<Resource, "read-entity">;

/** What is protected, and what is known of its backups. */
export interface Entities {
  /**
   * Lists what is protected in the organizational unit and below it, what needs attention first.
   * @example
   * const state = { $in: ["never", "failing", "missed", "stale"] };
   * for await (const entity of holdfast.entities.list({ filter: { state, is_retired: false, is_muted: false } })) {
   *   console.log(entity.primary_entity.value, entity.state, entity.last_good_backup?.end_timestamp ?? "never");
   * }
   */
  list(options?: ListOptions<FilterOf<Resource, "list-entities">, SortOf<Resource, "list-entities">>): Listing<Entity>;
  /**
   * Counts what is protected by state.
   * @example
   * for await (const { state, count } of holdfast.entities.counts()) console.log(state, count);
   */
  counts(
    options?: ListOptions<FilterOf<Resource, "list-entity-counts">>,
  ): Listing<ItemOf<Resource, "list-entity-counts">>;
  /**
   * Reads one protected entity.
   * @example
   * const { last_good_backup, last_restore } = await holdfast.entities.read(entityId);
   */
  read(id: string, options?: CallOptions): Promise<Entity>;
  /**
   * Mutes a protected entity until a moment, or retires it: it needs no attention then.
   * @example
   * await holdfast.entities.update(entityId, { muted_until: new Date(Date.now() + 86_400_000).toISOString() });
   * await holdfast.entities.update(entityId, { is_retired: true });
   */
  update(id: string, body: BodyOf<Resource, "update-entity">, options?: ChangeOptions): Promise<Entity>;
}

export function createEntities(calls: Calls): Entities {
  return {
    list: (options = {}) => listItems(calls, resource, "list-entities", options),
    counts: (options = {}) => listItems(calls, resource, "list-entity-counts", options),
    read: (id, options = {}) => readItem(calls, resource, "read-entity", { ...options, ids: [id] }),
    update: (id, body, options = {}) => sendChange(calls, resource, "update-entity", { ...options, ids: [id] }, body),
  };
}
