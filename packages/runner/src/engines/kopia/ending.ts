import { failure } from "../ending";
import type { EndedRun, Verdict } from "../engine";

export function judge({ exitCode, diagnostics }: EndedRun): Verdict | undefined {
  return exitCode === 0 ? undefined : failure(diagnostics.code());
}
