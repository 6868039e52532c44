import { failure } from "../ending";
import type { EndedRun, Verdict } from "../engine";

/** Every failure has exit code 1, so the words decide. */
export function judge({ exitCode, seen, recognition }: EndedRun): Verdict | undefined {
  if (exitCode === 0) return undefined;
  const code = seen.code();
  if (code === "repository_full" && recognition.category === "restore")
    return failure("target_full", seen.lineOf(code));
  return failure(code);
}
