import { createHash } from "node:crypto";

/**
 * A short name for what was written: equal texts have equal names, in whatever pieces they are. Nobody can find two texts with one
 * name, so that what is written by others cannot be made to look unchanged.
 */
export function fingerprint(pieces: readonly (string | Uint8Array)[]): string {
  const hash = createHash("sha256");
  for (const piece of pieces) hash.update(piece);
  return hash.digest("base64url");
}
