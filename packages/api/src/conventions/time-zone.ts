import { textLimits } from "./text-limits";

/** Checks whether there is a time zone of this name. An offset such as +02:00 is no name, although the runtime accepts it. */
export function isTimeZone(name: string): boolean {
  if (name.length > textLimits.timeZone || !/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
