import type { CallOptions } from "./transport";

/**
 * Options of a creation.
 * @example
 * import { type CreateOptions } from "@holdfast/client";
 *
 * const options: CreateOptions = { idempotencyKey: crypto.randomUUID() };
 * await holdfast.roles.create({ name: "task reader", permissions: ["tasks:read"] }, options);
 */
export interface CreateOptions extends CallOptions {
  /** Makes the request repeatable for a day; a new one for each call where it is left out. */
  idempotencyKey?: string | undefined;
}

/**
 * Options of a change.
 * @example
 * import { type ChangeOptions, etagOf } from "@holdfast/client";
 *
 * const unit = await holdfast.organizationalUnits.read(unitId);
 * const options: ChangeOptions = { ifMatch: etagOf(unit) };
 * await holdfast.organizationalUnits.update(unit.id, { name: unit.name }, options);
 */
export interface ChangeOptions extends CallOptions {
  /** Refuses the change with 412 if the item is not the one with this ETag any more; see `etagOf`. */
  ifMatch?: string | undefined;
}
