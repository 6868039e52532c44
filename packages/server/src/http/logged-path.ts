/** The segment `ping`, in any letter case and with any of its letters percent-encoded, at any place of a path. */
const pingSegment = /(?:[/\\]|%2f|%5c)(?:p|%70|%50)(?:i|%69|%49)(?:n|%6e|%4e)(?:g|%67|%47)(?=[/\\]|%2f|%5c|$)/i;
/** Shorter than any capability: a ping key has 22 characters, and a UUID without dashes 32. Encoding only lengthens them. */
const maxSegmentLength = 20;
const longSegment = new RegExp(`[^/\\\\]{${maxSegmentLength + 1},}`, "g");
const maxLength = 200;

/**
 * Writes a path for the log. The path of a ping is enough to report, so it is left out, also under a wrong prefix. A path
 * that no endpoint names (`*` ends the pattern of those that match anything) may be one without its `/ping/`: its long
 * segments are left out.
 */
export function loggedPath(path: string, pattern: string): string {
  if (pingSegment.test(path)) return "/ping/…";
  const masked = pattern.endsWith("*") ? path.replace(longSegment, "…") : path;
  return masked.slice(0, maxLength);
}
