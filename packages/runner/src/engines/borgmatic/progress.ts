import { createDiagnostics, type Diagnostics } from "../diagnostics";
import type { Reader } from "../engine";
import { createErrorStream } from "../plain-reader";
import { errorLine, signs } from "./errors";

/** Warnings of borg are on stdout, errors on stderr. */
export function createReader(): Reader {
  const diagnostics = createDiagnostics(signs, errorLine);
  return {
    stdout: createErrorStream(diagnostics),
    stderr: createErrorStream(withoutLoggingErrors(diagnostics)),
    diagnostics,
  };
}

/** Where a message cannot be sent to syslog, Python says so at length. That is nothing about the backup. */
function withoutLoggingErrors(diagnostics: Diagnostics): Pick<Diagnostics, "note"> {
  let isInside = false;
  return {
    note(line) {
      isInside ||= /^--- Logging error ---\s*$/.test(line);
      if (!isInside) diagnostics.note(line);
      else if (/^Arguments: /.test(line)) isInside = false;
    },
  };
}
