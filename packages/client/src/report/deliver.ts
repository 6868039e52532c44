import type { BodyOf, ItemOf } from "../declared";
import { HoldfastError } from "../error";
import type { Tasks } from "../tasks";
import { randomUuid } from "../uuid";
import type { Outbox, WaitingReport } from "./outbox";

type SentReport = BodyOf<"tasks", "report-tasks">["reports"][number];
type Result = ItemOf<"tasks", "report-tasks">["results"][number];

/** Facts that a runner needs to report on. */
export type Lease = NonNullable<Result["lease"]>;

/** Outcome of an attempt to deliver. */
export type Delivery =
  /** Everything that was pending is delivered. */
  | { result: "delivered"; lease: Lease | undefined }
  /** The service cannot be reached, or cannot answer now. */
  | { result: "away"; error: HoldfastError }
  /** The token is refused. Another one may be better. */
  | { result: "forbidden"; error: HoldfastError }
  /** Another token holds the task, and it is not lost yet. */
  | { result: "held" }
  /** The service will never take this task. */
  | { result: "refused"; reason: string };

export interface DeliveryParts<Report> {
  /** Act in the unit of the task. */
  tasks: Pick<Tasks, "report" | "update">;
  signal: AbortSignal;
  /** Called for a report that the service refuses, with the reason. The others are delivered. */
  onRefused: (report: Report, reason: string) => void;
  /** Changes what the outbox holds so that the service takes a report. False: it cannot be changed so. */
  mend?: ((report: Report, status: number, reason: string) => boolean) | undefined;
}

const codes = { taskUnknown: 40402, idTaken: 40902, leaseForeign: 40909, logGap: 40911 } as const;
/** Maximum size of one request; the service takes 500 reports and 1 MiB. */
const maxReports = 200;
const maxBytes = 512 * 1024;

/** Sends what is pending, in order, until nothing is left or something is in the way. */
export async function deliver<Report extends WaitingReport>(
  { tasks, signal, onRefused, mend }: DeliveryParts<Report>,
  outbox: Outbox<Report>,
): Promise<Delivery> {
  const { taskId } = outbox;
  let lease: Lease | undefined;
  let attempt = 1;
  let max = maxReports;
  let hasBegunAgain = false;
  let again: Report | undefined;

  function setAside(report: Report, reason: string): void {
    onRefused(report, reason);
    outbox.acknowledge(report.sequence);
  }

  /** Takes over a task that a replaced token held, once it counts as lost. */
  async function takeOver(): Promise<boolean> {
    try {
      const body = { attempt: attempt + 1, claim_id: randomUuid(), status: "in_progress" as const };
      await tasks.update(taskId, body, { retries: 0, signal });
      attempt += 1;
      return true;
    } catch (error) {
      if (error instanceof HoldfastError && (error.status === 409 || error.status === 404)) return false;
      throw error;
    }
  }

  /** Handles a report that was not accepted: stops with a delivery, or tries once more. */
  async function handleRefusal(report: Report, answer: Result): Promise<Delivery | undefined> {
    const reason = answer.errors?.map(({ error_message }) => error_message).join(" ") ?? `status ${answer.status}`;
    const code = answer.errors?.[0]?.error_code ?? 0;
    const begin = outbox.begin();
    if (answer.status >= 500 || answer.status === 403) throw errorOf(answer);
    if (mend?.(report, answer.status, reason)) return undefined;
    if (code === codes.logGap && report.operation === "log" && !report.body.gap) outbox.noteGap(report.sequence);
    else if (code === codes.taskUnknown && begin && !hasBegunAgain) {
      // The service may have been restored from an older backup.
      hasBegunAgain = true;
      again = begin;
    } else if (code === codes.leaseForeign || code === codes.idTaken) {
      // Another token has begun it; a token that may not read tasks only learns that the id is taken.
      if (!(await takeOver())) return { result: "held" };
    } else if ((answer.status === 409 && report.operation !== "log") || answer.status === 404) {
      return { result: "refused", reason };
    } else setAside(report, reason);
    return undefined;
  }

  try {
    while (outbox.pending().length > 0) {
      const sent = [...(again ? [again] : []), ...batchOf(outbox.pending(), max)];
      again = undefined;
      await outbox.written();
      let results: readonly Result[];
      try {
        const reports = sent.map((report) => toSent(report, outbox, attempt));
        results = (await tasks.report({ reports }, { retries: 0, signal })).results;
      } catch (error) {
        if (!(error instanceof HoldfastError) || !isAboutBody(error)) throw error;
        // One of them makes the whole request wrong: they are sent one by one.
        if (max > 1) max = 1;
        else for (const report of sent) setAside(report, error.message);
        continue;
      }
      for (const [index, report] of sent.entries()) {
        const answer = results[index];
        if (answer && answer.status >= 300) {
          const stopped = await handleRefusal(report, answer);
          if (stopped) return stopped;
          break;
        }
        lease = answer?.lease ?? lease;
        outbox.acknowledge(report.sequence);
      }
    }
    return { result: "delivered", lease };
  } catch (error) {
    if (!(error instanceof HoldfastError)) throw error;
    return { result: error.status === 401 || error.status === 403 ? "forbidden" : "away", error };
  }
}

/** The first reports that fit into one request. */
function batchOf<Report extends WaitingReport>(pending: readonly Report[], max: number): Report[] {
  const batch: Report[] = [];
  let bytes = 0;
  for (const report of pending.slice(0, max)) {
    bytes += new TextEncoder().encode(JSON.stringify(report)).length;
    if (batch.length > 0 && bytes > maxBytes) break;
    batch.push(report);
  }
  return batch;
}

/** A report as it is sent: ages are made now. */
function toSent<Report extends WaitingReport>(waiting: Report, outbox: Outbox<Report>, attempt: number): SentReport {
  const task_id = outbox.taskId;
  const { sequence } = waiting;
  const { report, ageMs: age_ms } = outbox.toSend(waiting);
  const attempted = attempt > 1 ? { attempt } : {};
  if (report.operation === "log") return { operation: "log", task_id, body: { ...report.body, ...attempted } };
  return report.operation === "create"
    ? { operation: "create", task_id, body: { ...report.body, id: task_id, sequence, age_ms } }
    : { operation: "update", task_id, body: { ...report.body, sequence, age_ms, ...attempted } };
}

function isAboutBody({ status }: HoldfastError): boolean {
  return [400, 413, 415, 422].includes(status);
}

function errorOf({ status, errors = [] }: Result): HoldfastError {
  return new HoldfastError({ status, faults: errors });
}
