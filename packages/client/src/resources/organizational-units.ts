import { type Calls, readItem, sendChange } from "../calls";
import type { BodyOf, FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";
import type { ChangeOptions, CreateOptions } from "./options";

const resource = "organizational-units";
type Resource = typeof resource;
type OrganizationalUnit = ItemOf<Resource, "read-organizational-unit">;

/** The one tree of units in which tasks belong and roles are held. */
export interface OrganizationalUnits {
  /**
   * Lists the organizational unit and those below it.
   * @example
   * const { total_count } = await holdfast.organizationalUnits.list({ filter: { parent_id: unitId } }).page();
   */
  list(options?: ListOptions<FilterOf<Resource, "list-organizational-units">>): Listing<OrganizationalUnit>;
  /**
   * Reads one organizational unit.
   * @example
   * const { name, ancestors } = await holdfast.organizationalUnits.read(unitId);
   * console.log([...ancestors.map((above) => above.name), name].join(" / "));
   */
  read(id: string, options?: CallOptions): Promise<OrganizationalUnit>;
  /**
   * Creates a unit below another; without `parent_id`, below the one of the request.
   * @example
   * const berlin = await holdfast.organizationalUnits.create({ name: "Berlin", parent_id: unitId });
   */
  create(body: BodyOf<Resource, "create-organizational-unit">, options?: CreateOptions): Promise<OrganizationalUnit>;
  /**
   * Renames a unit, or moves it with everything below it.
   * @example
   * await holdfast.organizationalUnits.update(unitId, { name: "Lyon" });
   */
  update(
    id: string,
    body: BodyOf<Resource, "update-organizational-unit">,
    options?: ChangeOptions,
  ): Promise<OrganizationalUnit>;
  /**
   * Deletes an empty unit, or one whose contents are moved to another.
   * @example
   * await holdfast.organizationalUnits.delete(emptyUnitId, { moveTo: unitId });
   */
  delete(id: string, options?: ChangeOptions & { moveTo?: string | undefined }): Promise<void>;
}

export function createOrganizationalUnits(calls: Calls): OrganizationalUnits {
  return {
    list: (options = {}) => listItems(calls, resource, "list-organizational-units", options),
    read: (id, options = {}) => readItem(calls, resource, "read-organizational-unit", { ...options, ids: [id] }),
    create: (body, options = {}) => sendChange(calls, resource, "create-organizational-unit", options, body),
    update: (id, body, options = {}) =>
      sendChange(calls, resource, "update-organizational-unit", { ...options, ids: [id] }, body),
    delete: (id, { moveTo, ...options } = {}) =>
      sendChange(calls, resource, "delete-organizational-unit", { ...options, ids: [id], query: { move_to: moveTo } }),
  };
}
