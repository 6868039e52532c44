const uuidLength = 36;
const shape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Reads a UUID in any letter case and gives it in the one that we store, or undefined. */
export function parseUuid(text: string): string | undefined {
  if (text.length !== uuidLength) return undefined;
  const lower = text.toLowerCase();
  return shape.test(lower) ? lower : undefined;
}

/**
 * A UUID of version 7: it sorts by its time, in milliseconds since 1970, then by the 12 bits of `turn`. The 14 bits of
 * `short` and the 48 bits of `long` are random.
 */
export function uuidV7(milliseconds: number, turn: number, short: number, long: number): string {
  const time = hex(milliseconds, 12);
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex(0x7000 + turn, 4)}-${hex(0x8000 + short, 4)}-${hex(long, 12)}`;
}

function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, "0");
}

/** An id as we store it: UUIDs in lower case, anything else as it is. */
export function canonicalId(text: string): string {
  return parseUuid(text) ?? text;
}
