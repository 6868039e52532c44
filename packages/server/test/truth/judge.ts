import type { TaskRecord } from "../../src/resources/tasks/record";
import type { Run, RunnerReport } from "./ledger";

/** State of a task in the service. */
export interface HeldTask {
  record: TaskRecord;
  /** The last report that was applied. */
  sequence: number;
}

/** Ending of the process that ran something. */
export type RunnerFate = "killed" | "ended" | "living";

/** Finds differences between a run and its task: nothing, where all is well. */
export function findMismatch(run: Run, fate: RunnerFate, held: HeldTask | undefined): string[] {
  const lastHeard = Math.max(0, ...run.heard);
  const say = (...lines: string[]) => [...run.refused, ...lines].map((line) => `${run.task} (${fate}): ${line}`);
  if (!held) return fate === "killed" && lastHeard === 0 ? say() : say("it is not there");
  const { record, sequence } = held;
  const applied = run.sentReports.filter((sentReport) => sentReport.sequence <= sequence);
  const last = applied.at(-1);
  if (last?.sequence !== sequence) return say(`a report ${sequence} was applied that was never sent`);
  const expected = { ...expectedOf(applied, last, fate), isUndelivered: false, isInOrder: true };
  const found = {
    status: record.status,
    outcome: record.outcome,
    code: isLoss(record) ? "lost" : (record.error?.code ?? null),
    percentage: record.progress_percentage,
    message: record.progress_message,
    isUndelivered: sequence < lastHeard || (fate === "ended" && sequence < (run.sentReports.at(-1)?.sequence ?? 0)),
    isInOrder: isInOrder(record),
  };
  return Bun.deepEquals(found, expected)
    ? say()
    : say(`${JSON.stringify(found)} instead of ${JSON.stringify(expected)}, the last heard is ${lastHeard}`);
}

/** Expected task after these reports of it were applied. */
function expectedOf(applied: readonly RunnerReport[], last: RunnerReport, fate: RunnerFate) {
  const percentage = Math.max(...applied.map((sentReport) => sentReport.percentage));
  const message = `did ${last.sequence}`;
  const { ended } = last;
  if (ended) return { ...ended, percentage: ended.status === "completed" ? 100 : percentage, message };
  if (last.isQueued) return { status: "queued", outcome: null, code: null, percentage, message };
  if (fate === "living") return { status: "in_progress", outcome: null, code: null, percentage, message };
  return { status: "failed", outcome: "lost", code: "lost", percentage, message };
}

function isLoss({ outcome, error }: TaskRecord): boolean {
  return outcome === "lost" && ["runner_lost", "abort_unconfirmed"].includes(error?.code ?? "");
}

function isInOrder({ created_timestamp: created, start_timestamp: start, end_timestamp: end }: TaskRecord): boolean {
  const times = [created, start, end].filter((time) => time !== null);
  return times.every((time, index) => index === 0 || time >= (times[index - 1] ?? ""));
}
