import { failure } from "../ending";
import type { EndedRun, Verdict } from "../engine";

/** Every failure has exit code 1, so the words decide. */
export function judge({ exitCode, diagnostics, recognition }: EndedRun): Verdict | undefined {
  if (exitCode === 0) return undefined;
  const code = diagnostics.code();
  if (code === "repository_full" && recognition.category === "restore")
    return failure("target_full", diagnostics.lineOf(code));
  return failure(code);
}
