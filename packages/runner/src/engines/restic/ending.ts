import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";
import { codes } from "./errors";

export function judge({ exitCode, diagnostics, recognition }: EndedRun): Verdict | undefined {
  const { command, category } = recognition;
  // The commands inside a script are unknown: there its words alone decide.
  const mayBeBackup = command === "backup" || command === undefined;
  const skipped = diagnostics.lineOf("source_missing");
  // A source that is skipped does not change the exit code, although part of what was wanted is not in the snapshot.
  if (exitCode === 0) return mayBeBackup && skipped !== undefined ? warning("source_missing", skipped) : undefined;
  const unread = diagnostics.lineOf("files_unreadable") ?? skipped;
  if (exitCode === 3 && mayBeBackup && (command !== undefined || unread !== undefined)) {
    return warning("files_unreadable", unread);
  }
  const code = (exitCode === null ? undefined : codes[exitCode]) ?? diagnostics.code();
  if (code === "repository_full" && category === "restore") return failure("target_full", diagnostics.lineOf(code));
  return failure(code);
}
