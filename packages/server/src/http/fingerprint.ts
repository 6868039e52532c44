/** A short name for bytes, quick to make: equal bytes have equal names. It keeps nothing secret. */
export function fingerprint(bytes: Uint8Array): string {
  return Bun.hash.xxHash3(bytes).toString(36);
}
