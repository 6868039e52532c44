import type { ApiError } from "@holdfast/api/conventions/api-error";
import type { LabelsOf } from "../telemetry/metric-declarations";
import type { Recorder } from "../telemetry/registry";

type Labels = LabelsOf<"holdfast_sign_ins_refused_total">;

const causes: Readonly<Record<string, Labels["cause"]>> = {
  signInFailed: "wrong_credentials",
  codeMissing: "code_missing",
  attemptsExceeded: "too_many_attempts",
  accessEnded: "no_access",
};

/** Counts a sign-in that is refused. */
export function countRefusedSignIn(metrics: Recorder, way: Labels["way"], refusal: ApiError): void {
  metrics.add("holdfast_sign_ins_refused_total", { way, cause: causes[refusal.faults[0].name] ?? "other" });
}
