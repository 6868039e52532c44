import { createHash } from "node:crypto";
import { cleanLine } from "@holdfast/api/conventions/clean-line";

/** As many digits of a hash as keep two long texts apart that begin alike. */
const hashLength = 12;

/**
 * A text as a line that the service takes. A text that is too long is cut off, with a hash of all of it at its end, so that
 * different texts stay different.
 */
export function shortLine(text: string, maxLength: number): string {
  if ([...text].length <= maxLength) return cleanLine(text, maxLength);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  return `${cleanLine(text, maxLength - hashLength - 1)}…${hash}`;
}

/** A text for people as a line that the service takes. */
export function cutLine(text: string, maxLength: number): string {
  return [...text].length <= maxLength ? cleanLine(text, maxLength) : `${cleanLine(text, maxLength - 1)}…`;
}
