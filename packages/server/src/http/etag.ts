import { createHash } from "node:crypto";

/** A name for a body: equal bodies have equal names in every process. */
export function etagOf(body: string): string {
  return `"${nameOf(body)}"`;
}

/**
 * A name for an item. Where fields in it change by themselves, it has two parts: the first names the rest of the item, the
 * second all of it. So it is a strong one, and If-Match can still detect changes of the item.
 */
export function itemEtag(body: string, volatile: readonly string[]): string {
  if (volatile.length === 0) return etagOf(body);
  const settled = withoutFields(body, volatile);
  return settled === body ? etagOf(body) : `"${nameOf(settled)}.${nameOf(body)}"`;
}

/** True if a client that sent If-None-Match has this body already. */
export function ifNoneMatchHolds(ifNoneMatch: string | null, etag: string): boolean {
  return ifNoneMatch !== null && isAmong(ifNoneMatch, etag, (name) => name);
}

/**
 * True if If-Match names this item without its volatile fields. These change by themselves, such as the last activity of a
 * user, so that part of the ETag is not compared.
 */
export function ifMatchHolds(ifMatch: string, etag: string): boolean {
  return isAmong(ifMatch, etag, (name) => name.split(".")[0] ?? name);
}

/** True if a header names an ETag, as far as a part of it goes. What a proxy has weakened on its way is the same to us. */
function isAmong(header: string, etag: string, part: (name: string) => string): boolean {
  const known = (name: string) => part(name.trim().replace(/^W\//, ""));
  const wanted = known(etag);
  return header.trim() === "*" || header.split(",").some((one) => known(one) === wanted);
}

/** Nobody can find two texts with one name, so that what is written by others cannot be made to look unchanged. */
function nameOf(body: string): string {
  return createHash("sha256").update(body).digest("base64url");
}

function withoutFields(body: string, fields: readonly string[]): string {
  const item: Record<string, unknown> = JSON.parse(body);
  return JSON.stringify(Object.fromEntries(Object.entries(item).filter(([name]) => !fields.includes(name))));
}
