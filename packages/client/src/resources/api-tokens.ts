import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf, SortOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

const resource = "api-tokens";
type Resource = typeof resource;
type ApiToken = ItemOf<Resource, "read-api-token">;

/** What programs and people call the API with. */
export interface ApiTokens {
  /**
   * Lists the tokens of the organizational unit and below it, and one's own.
   * @example
   * for await (const token of holdfast.apiTokens.list({ filter: { kind: "service", is_revoked: false } })) {
   *   console.log(token.name, token.last_used_timestamp);
   * }
   * const [soonest] = await holdfast.apiTokens.list({ sort: "expires_timestamp" }).first(1);
   */
  list(
    options?: ListOptions<FilterOf<Resource, "list-api-tokens">, SortOf<Resource, "list-api-tokens">>,
  ): Listing<ApiToken>;
  /**
   * Reads one token, without the token itself.
   * @example
   * const { expires_timestamp } = await holdfast.apiTokens.read(apiTokenId);
   */
  read(id: string, options?: CallOptions): Promise<ApiToken>;
  /**
   * Creates a token. It is in the answer, this once; an answer that is repeated has none.
   * @example
   * const { token } = await holdfast.apiTokens.create({ name: "nightly", kind: "service", role_id: reporterRoleId });
   */
  create(
    body: BodyOf<Resource, "create-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "create-api-token">>;
  /**
   * Renames a token.
   * @example
   * await holdfast.apiTokens.update(apiTokenId, { name: "nightly-report" });
   */
  update(id: string, body: BodyOf<Resource, "update-api-token">, options?: ChangeOptions): Promise<ApiToken>;
  /**
   * Replaces a token by a new one, which is in the answer, this once. The old one ends at once or after an overlap.
   * @example
   * const { token } = await holdfast.apiTokens.rotate(apiTokenId, { overlap_seconds: 3600 });
   */
  rotate(
    id: string,
    body?: BodyOf<Resource, "rotate-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "rotate-api-token">>;
  /**
   * Renews the service token that this client calls with. The new one is in the answer, this once: connect with it.
   * @example
   * const { token } = await holdfast.apiTokens.renew();
   */
  renew(
    body?: BodyOf<Resource, "renew-api-token">,
    options?: CreateOptions,
  ): Promise<ItemOf<Resource, "renew-api-token">>;
  /**
   * Revokes a token at once.
   * @example
   * await holdfast.apiTokens.revoke(apiTokenId);
   */
  revoke(id: string, options?: ChangeOptions): Promise<void>;
}

export function createApiTokens(calls: Calls): ApiTokens {
  return {
    list: (options = {}) => listItems(calls, resource, "list-api-tokens", options),
    read: (id, options = {}) => readItem(calls, resource, "read-api-token", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, resource, "create-api-token", options, body),
    update: (id, body, options = {}) =>
      sendChange(calls, resource, "update-api-token", { ...options, ids: [id] }, body),
    rotate: (id, body = {}, options = {}) =>
      sendChange(calls, resource, "rotate-api-token", { ...options, ids: [id] }, body),
    renew: (body = {}, options = {}) => sendChange(calls, resource, "renew-api-token", options, body),
    revoke: (id, options = {}) => sendChange(calls, resource, "revoke-api-token", { ...options, ids: [id] }),
  };
}
