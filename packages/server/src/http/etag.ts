import { fingerprint } from "./fingerprint";

/** A name for a body: equal bodies have equal names in every process. It is a weak one where only the essence counts. */
export function etagOf(body: string, essence: string = body): string {
  const name = `"${essence.length.toString(36)}-${fingerprint(essence)}"`;
  return essence === body ? name : `W/${name}`;
}

/** Whether a client that sent If-None-Match has this body already. */
export function isKnown(ifNoneMatch: string | null, etag: string): boolean {
  if (ifNoneMatch === null) return false;
  const name = etag.replace(/^W\//, "");
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((one) => one.trim().replace(/^W\//, "") === name);
}
