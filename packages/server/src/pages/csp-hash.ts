import { createHash } from "node:crypto";

/** What stands in a page itself, a style or a script, as a Content-Security-Policy names it: `'sha256-…'`. */
export function cspHash(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}
