import { createHash } from "node:crypto";

/** Hash of a style or a script in a page, as a Content-Security-Policy names it: `'sha256-…'`. */
export function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
