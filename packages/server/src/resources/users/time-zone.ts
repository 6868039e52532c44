import type { FieldChecks } from "@holdfast/api/conventions/texts";
import { isTimeZone } from "@holdfast/api/conventions/time-zone";

/** Reads the zone that a person wants times in. */
export function readTimeZone(checks: FieldChecks, name: string): string {
  if (!isTimeZone(name)) checks.fail("time_zone", "a time zone of the IANA database, such as Europe/Berlin");
  return name;
}
