import type { CallOptions } from "../transport";

/** How something is created. */
export interface CreateOptions extends CallOptions {
  /** Makes the request repeatable for a day; a new one for each call where it is left out. */
  idempotencyKey?: string | undefined;
}

/** How something is changed. */
export interface ChangeOptions extends CallOptions {
  /** Refuses the change with 412 if the item is not the one with this ETag any more; see `etagOf`. */
  ifMatch?: string | undefined;
}
