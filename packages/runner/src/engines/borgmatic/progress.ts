import type { Reader } from "../engine";
import { createErrorStream } from "../plain-reader";
import { createSeen, type Seen } from "../seen";
import { errorLine, signs } from "./errors";

/** Warnings of borg are on stdout, errors on stderr. */
export function createReader(): Reader {
  const seen = createSeen(signs, errorLine);
  return { stdout: createErrorStream(seen), stderr: createErrorStream(withoutLoggingErrors(seen)), seen };
}

/** Where a message cannot be sent to syslog, Python says so at length. That is nothing about the backup. */
function withoutLoggingErrors(seen: Seen): Pick<Seen, "note"> {
  let isInside = false;
  return {
    note(line) {
      isInside ||= /^--- Logging error ---\s*$/.test(line);
      if (!isInside) seen.note(line);
      else if (/^Arguments: /.test(line)) isInside = false;
    },
  };
}
