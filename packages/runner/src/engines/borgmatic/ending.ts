import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";

/** Codes that borg counts as warnings. */
const soft = ["files_unreadable", "source_missing", "files_changed"] as const;

export function judge({ exitCode, diagnostics }: EndedRun): Verdict | undefined {
  if (exitCode !== 0) return failure(diagnostics.code());
  // borgmatic takes borg's warnings for success, so that only the words show them.
  const found = soft.find((code) => diagnostics.lineOf(code) !== undefined);
  return found && warning(found);
}
