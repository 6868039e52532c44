const etags = new WeakMap<object, string>();

/** Notes with which ETag an item came. */
export function noteEtag(item: object, etag: string | null): void {
  if (etag !== null) etags.set(item, etag);
}

/**
 * The ETag that an item came with, for `ifMatch`: the change is refused with 412 if the item was changed meanwhile.
 * @example
 * import { etagOf } from "@holdfast/client";
 *
 * const user = await holdfast.users.read(userId);
 * await holdfast.users.update(user.id, { full_name: "Ada Lovelace" }, { ifMatch: etagOf(user) });
 */
export function etagOf(item: object): string | undefined {
  return etags.get(item);
}
