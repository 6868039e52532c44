import { failure } from "../ending";
import type { EndedRun, Verdict } from "../engine";
import { codes } from "./errors";

export function judge({ exitCode, diagnostics, recognition }: EndedRun): Verdict | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  const isRestore = recognition.category === "restore";
  const words = diagnostics.code();
  if (words === "repository_full" && isRestore) return failure("target_full", diagnostics.lineOf(words));
  // A path that is missing is the repository's, unless files are to be restored to it.
  if (exitCode === 73) return failure(isRestore ? "source_missing" : "repository_missing", diagnostics.lastErrorLine());
  const code = words ?? codes[exitCode];
  // The line with the number of the error says more than a hint.
  return failure(code, diagnostics.lastErrorLine());
}
