import { fingerprint } from "./fingerprint";

/** A name for a body: equal bodies have equal names in every process. */
export function etagOf(body: string): string {
  return `"${body.length.toString(36)}-${fingerprint(body)}"`;
}

/** Whether a client that sent If-None-Match has this body already. */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === etag);
}
