/** A short name for what was written, quick to make: equal pieces have equal names. It keeps nothing secret. */
export function fingerprint(pieces: readonly (string | Uint8Array)[]): string {
  let hash = 0n;
  for (const piece of pieces) hash = Bun.hash.xxHash3(piece, hash);
  return hash.toString(16);
}
