const uuidLength = 36;
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a UUID in any letter case and gives it in the one that we store, or undefined. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== uuidLength) return undefined;
  const lower = text.toLowerCase();
  return shape.test(lower) ? lower : undefined;
}

/** An id as we store it: UUIDs in lower case, anything else as it is. */
export function canonicalId(text: string): string {
  return parseUuid(text) ?? text;
}
