import { createHash } from "node:crypto";
import { cleanLine } from "@holdfast/api/conventions/clean-line";

/** As many digits of a hash as keep two long texts apart that begin alike. */
const hashLength = 12;

/**
 * A text as a line that the service takes. A text that is too long is cut off, with a hash of all of it at its end, so that
 * different texts stay different.
 */
export function shortLine(text: string, longest: number): string {
  if ([...text].length <= longest) return cleanLine(text, longest);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, hashLength);
  return `${cleanLine(text, longest - hashLength - 1)}…${hash}`;
}

/** A text for people as a line that the service takes. */
export function cutLine(text: string, longest: number): string {
  return [...text].length <= longest ? cleanLine(text, longest) : `${cleanLine(text, longest - 1)}…`;
}
