/** A shorter core of base64 would mask ordinary words. */
const minFormLength = 6;

/** A secret as it is, and as programs write it down: in base64, in hex, and quoted for a shell. */
export function formsOf(secret: string): string[] {
  // Lines of a longer text are secrets of their own, and are found in the encoded whole.
  if (/[\r\n]/.test(secret) || secret.length < minFormLength) return [secret];
  const bytes = Buffer.from(secret);
  const hex = bytes.toString("hex");
  const encoded = [0, 1, 2].flatMap((before) => base64Within(bytes, before));
  return [
    secret,
    secret.replaceAll("'", "'\\''"),
    hex,
    hex.toUpperCase(),
    ...encoded,
    ...encoded.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
  ].filter(({ length }) => length >= minFormLength);
}

/**
 * Encodes bytes in base64 that have so many others before them in their group of three, such as a user's name: the digits that
 * these bytes alone decide. With none before them, also all digits, with and without padding.
 */
function base64Within(bytes: Buffer, before: number): string[] {
  const padded = Buffer.concat([Buffer.alloc(before), bytes]).toString("base64");
  const digits = padded.replace(/=+$/, "");
  const shared = (before + bytes.length) % 3 === 0 ? 0 : 1;
  const own = digits.slice(before === 0 ? 0 : before + 1, digits.length - shared);
  return before === 0 ? [own, digits, padded] : [own];
}
