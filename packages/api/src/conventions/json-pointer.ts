import type { JsonPath } from "./inspect-json";

/**
 * Writes the way to a value in a JSON text as a JSON pointer (RFC 6901).
 * @example jsonPointer(["grants", 0, "a/b"]) // "/grants/0/a~1b"
 */
export function jsonPointer(path: JsonPath): string {
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
