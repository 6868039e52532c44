import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf, VersionOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

type UsersVersion = VersionOf<"users">;
type Body<Id extends "create-user" | "update-user"> = BodyOf<"users", Id>;
type Item<Version> = ItemOf<"users", "read-user", Version>;

/** A call that can ask for another version of the resource. */
interface Versioned<Version> {
  version?: Version | undefined;
}

/** People, and the roles that they hold in organizational units. */
export interface Users<Default extends UsersVersion = 2> {
  /**
   * Lists the users who hold a role in the organizational unit or below it, by name.
   * @example
   * for await (const user of holdfast.users.list({ filter: { name: { $contains: "ada" } } })) console.log(user.email);
   */
  list<Version extends UsersVersion = Default>(
    options?: ListOptions<FilterOf<"users", "list-users", Version>> & Versioned<Version>,
  ): Listing<ItemOf<"users", "list-users", Version>>;
  /**
   * Reads one user.
   * @example
   * const { full_name } = await holdfast.users.read(userId);
   */
  read<Version extends UsersVersion = Default>(
    id: string,
    options?: CallOptions & Versioned<Version>,
  ): Promise<Item<Version>>;
  /**
   * Creates a user and an invitation, whose link is in the answer, this once.
   * @example
   * const { invitation_link } = await holdfast.users.create({ email: "ada@example.com", full_name: "Ada Lovelace" });
   */
  create(body: Body<"create-user">, options?: CreateOptions): Promise<ItemOf<"users", "create-user">>;
  /**
   * Makes a new invitation for a user who has not accepted one yet.
   * @example
   * const { invitation_link } = await holdfast.users.invite(invitedUserId);
   */
  invite(id: string, options?: CreateOptions): Promise<ItemOf<"users", "invite-user">>;
  /**
   * Changes a user: name, roles, or whether the person may use the service.
   * @example
   * await holdfast.users.update(userId, { is_enabled: false });
   */
  update(id: string, body: Body<"update-user">, options?: ChangeOptions): Promise<ItemOf<"users", "update-user">>;
  /**
   * Deletes a user, with their sessions and personal tokens.
   * @example
   * await holdfast.users.delete(invitedUserId);
   */
  delete(id: string, options?: ChangeOptions): Promise<void>;
}

export function createUsers<Default extends UsersVersion>(calls: Calls): Users<Default> {
  return {
    list: (options = {}) => listItems(calls, "users", "list-users", options),
    read: (id, options = {}) => readItem(calls, "users", "read-user", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, "users", "create-user", options, body),
    invite: (id, options = {}) => sendChange(calls, "users", "invite-user", { ...options, ids: [id] }),
    update: (id, body, options = {}) => sendChange(calls, "users", "update-user", { ...options, ids: [id] }, body),
    delete: (id, options = {}) => sendChange(calls, "users", "delete-user", { ...options, ids: [id] }),
  };
}
