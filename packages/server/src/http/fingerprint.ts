/** A short name for a text, quick to make: equal texts have equal names. It keeps nothing secret. */
export function fingerprint(text: string): string {
  return Bun.hash.xxHash3(text).toString(36);
}
