import { failure, warning } from "../ending";
import type { EndedRun, Verdict } from "../engine";
import { codes } from "./errors";

export function judge({ exitCode, diagnostics, recognition }: EndedRun): Verdict | undefined {
  if (exitCode === null || exitCode === 0) return undefined;
  if (exitCode === 9) return warning("nothing_transferred", "No file had to be transferred.");
  const code = diagnostics.code() ?? codes[exitCode];
  if (code === "repository_full" && recognition.category === "restore")
    return failure("target_full", diagnostics.lineOf(code));
  return failure(code);
}
