import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";

export function judge({ exitCode, diagnostics, recognition }: EndedRun): Verdict | undefined {
  if (exitCode === 0) return undefined;
  if (exitCode === 1 && recognition.command === "create") return warning("files_changed");
  const code = diagnostics.code();
  if (code === "repository_full" && recognition.category === "restore")
    return failure("target_full", diagnostics.lineOf(code));
  return failure(code);
}
