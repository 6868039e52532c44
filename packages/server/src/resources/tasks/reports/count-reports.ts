import { ApiError } from "@holdfast/api/conventions/api-error";
import type { ReportImplementation } from "../../../operations/report";
import { type LabelsOf, outcomeLabel } from "../../../telemetry/metric-declarations";
import type { Recorder } from "../../../telemetry/registry";
import { isHeartbeat, type TrackedTask } from "../lifecycle";
import type { WrittenReport } from "./write-reports";

export type ReportKind = LabelsOf<"holdfast_reports_total">["kind"];
type Result = LabelsOf<"holdfast_reports_total">["result"];

/** Counts what became of a task. To be called once that is committed. */
export function countChange(metrics: Recorder, before: TrackedTask | undefined, after: TrackedTask): void {
  const { category, status, outcome } = after.record;
  if (before?.record.status !== status || before.record.outcome !== outcome) {
    metrics.add("holdfast_tasks_total", { category, status, outcome: outcomeLabel(outcome) });
  }
  const [wasLost, isLost] = [before?.lease?.state === "lost", after.lease?.state === "lost"];
  if (!wasLost && isLost) metrics.add("holdfast_leases_lost_total", {});
  if (wasLost && !isLost) metrics.add("holdfast_leases_revived_total", {});
}

/** Counts what reports have changed. To be called once that is committed. */
export function countWritten(metrics: Recorder, written: readonly WrittenReport[]): void {
  for (const one of written) {
    if (one instanceof ApiError) continue;
    countChange(metrics, one.before, one.task);
    if (one.loggedBytes > 0) metrics.add("holdfast_task_log_bytes_total", {}, one.loggedBytes);
  }
}

/** Kind under which a report is counted. */
export function kindOfReport(operation: "create" | "update" | "log", body: object): ReportKind {
  return operation === "update" && isHeartbeat(body) ? "heartbeat" : operation;
}

/** Counts the requests with reports and how long they take, and, but for a batch, what became of each. */
export function countRequests(
  metrics: Recorder,
  operation: "create" | "update" | "log" | "batch",
  report: ReportImplementation,
): ReportImplementation {
  return async (call, sent) => {
    const kind = operation === "batch" ? operation : kindOfReport(operation, sent);
    const startedAt = performance.now();
    let held = 0;
    const count = (result: Result) => {
      metrics.observe("holdfast_report_duration_seconds", { kind }, (performance.now() - startedAt - held) / 1000);
      if (kind !== "batch") metrics.add("holdfast_reports_total", { kind, result });
    };
    try {
      const reported = await report(
        {
          ...call,
          async hold(seconds, wait) {
            const heldAt = performance.now();
            await call.hold(seconds, wait);
            held += performance.now() - heldAt;
          },
        },
        sent,
      );
      count("accepted");
      return reported;
    } catch (error) {
      count(error instanceof ApiError ? "refused" : "failed");
      throw error;
    }
  };
}
