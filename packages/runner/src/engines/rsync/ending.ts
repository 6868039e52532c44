import type { ErrorCode } from "../../error-codes";
import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";
import { codes } from "./errors";

/** With these, 23 is no matter of some files. */
const grave: readonly ErrorCode[] = ["source_missing", "repository_full", "bucket_forbidden"];

export function judge({ exitCode, diagnostics }: EndedRun): Verdict | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  if (exitCode === 24) return warning("files_changed");
  if (exitCode === 23) {
    const code = grave.find((one) => diagnostics.lineOf(one) !== undefined);
    return code === undefined ? warning("files_unreadable") : failure(code);
  }
  // A signal makes the other side of the connection end, too.
  if (exitCode === 20) return failure("interrupted", diagnostics.lastErrorLine());
  return failure(diagnostics.code() ?? codes[exitCode]);
}
