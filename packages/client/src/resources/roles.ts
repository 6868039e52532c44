import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

type Role = ItemOf<"roles", "read-role">;

/** Sets of permissions that users and service tokens hold in organizational units. */
export interface Roles {
  /**
   * Lists the roles that can be held in the organizational unit or below it.
   * @example
   * const [viewer] = await holdfast.roles.list({ filter: { name: "viewer" } }).first(1);
   */
  list(options?: ListOptions<FilterOf<"roles", "list-roles">>): Listing<Role>;
  /**
   * Reads one role.
   * @example
   * const { permissions } = await holdfast.roles.read(roleId);
   */
  read(id: string, options?: CallOptions): Promise<Role>;
  /**
   * Creates a role in the organizational unit.
   * @example
   * const auditor = await holdfast.roles.create({ name: "auditor", permissions: ["tasks:read", "audit-events:read"] });
   */
  create(body: BodyOf<"roles", "create-role">, options?: CreateOptions): Promise<Role>;
  /**
   * Changes a role, for all of its holders.
   * @example
   * await holdfast.roles.update(roleId, { description: "Reads tasks, and nothing else." });
   */
  update(id: string, body: BodyOf<"roles", "update-role">, options?: ChangeOptions): Promise<Role>;
  /**
   * Deletes a role that has no holders.
   * @example
   * await holdfast.roles.delete(roleId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

export function createRoles(calls: Calls): Roles {
  return {
    list: (options = {}) => listItems(calls, "roles", "list-roles", options),
    read: (id, options = {}) => readItem(calls, "roles", "read-role", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, "roles", "create-role", options, body),
    update: (id, body, options = {}) => sendChange(calls, "roles", "update-role", { ...options, ids: [id] }, body),
    delete: (id, options = {}) => sendChange(calls, "roles", "delete-role", { ...options, ids: [id] }),
  };
}
