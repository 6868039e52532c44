import { randomUUID } from "node:crypto";
import { type Client, HoldfastError } from "@holdfast/client";
import { momentNow, type Outbox } from "./outbox";
import type { SpoolFolder } from "./spool-folder";
import { ageOf, bytesOf, type SpooledReport } from "./spooled-report";

type SentReports = Parameters<Client["tasks"]["report"]>[0]["reports"];
type Result = Awaited<ReturnType<Client["tasks"]["report"]>>["results"][number];

/** What a runner has to know to report on. */
export type Lease = NonNullable<Result["lease"]>;

/** What became of an attempt to deliver. */
export type Delivery =
  /** Everything that was pending is delivered. */
  | { result: "delivered"; lease: Lease | undefined }
  /** The service cannot be reached, or cannot answer now. */
  | { result: "away"; error: HoldfastError }
  /** The token is refused. Another one may be better. */
  | { result: "forbidden"; error: HoldfastError }
  /** Another token holds the task, and it is not lost yet. */
  | { result: "held" }
  /** The service will never take this task: its file was put aside. */
  | { result: "refused"; reason: string };

export interface DeliveryParts {
  /** Acts in the unit of the run. */
  client: Client;
  /** Left out where there is no spool. */
  folder: SpoolFolder | undefined;
  signal: AbortSignal;
  /** Called for what was put aside, with the reason. */
  onRefused: (reason: string) => void;
  /** Called with what to say about a run whose monitor cannot be used. */
  onMonitorUnused: (message: string) => void;
}

const codes = { taskUnknown: 40402, idTaken: 40902, leaseForeign: 40909, logGap: 40911 } as const;
/** What one request has at most; the service takes 500 reports and 1 MiB. */
const mostReports = 200;
const maxBytes = 512 * 1024;

/** Sends what is pending, in order, until nothing is left or something is in the way. */
export async function deliver(parts: DeliveryParts, outbox: Outbox): Promise<Delivery> {
  const { client, folder, signal, onRefused, onMonitorUnused } = parts;
  const taskId = outbox.header.task_id;
  let lease: Lease | undefined;
  let attempt = 1;
  let most = mostReports;
  let hasBegunAgain = false;
  let again: SpooledReport | undefined;

  function setAside(report: SpooledReport, reason: string): void {
    const line = `${JSON.stringify({ ...report, refused: reason })}\n`;
    keepAside(() => folder?.setAside(`${taskId}.reports`, line));
    outbox.acknowledge(report.sequence);
    onRefused(reason);
  }

  async function refuse(reason: string): Promise<Delivery> {
    await outbox.close();
    keepAside(() => folder?.setFileAside(taskId, reason));
    onRefused(reason);
    return { result: "refused", reason };
  }

  /** A disk that is full must not stop what can still be delivered. */
  function keepAside(write: () => void): void {
    try {
      write();
    } catch (error) {
      onRefused(`What the service refuses cannot be kept: ${error instanceof Error ? error.message : error}`);
    }
  }

  /** Takes over a task that a replaced token held, once it counts as lost. */
  async function takeOver(): Promise<boolean> {
    try {
      const body = { attempt: attempt + 1, claim_id: randomUUID(), status: "in_progress" as const };
      await client.tasks.update(taskId, body, { retries: 0, signal });
      attempt += 1;
      return true;
    } catch (error) {
      if (error instanceof HoldfastError && (error.status === 409 || error.status === 404)) return false;
      throw error;
    }
  }

  /** What to do about a report that was not accepted: stop with a delivery, or try once more. */
  async function handleRefusal(report: SpooledReport, answer: Result): Promise<Delivery | undefined> {
    const reason = answer.errors?.map(({ error_message }) => error_message).join(" ") ?? `status ${answer.status}`;
    const code = answer.errors?.[0]?.error_code ?? 0;
    const begin = outbox.begin();
    if (answer.status >= 500 || answer.status === 403) throw errorOf(answer);
    if (answer.status === 422 && report.operation === "create" && report.body.monitor_id !== undefined) {
      // The monitor is gone, or the service is an old one: the run itself is reported all the same.
      outbox.forgetMonitor();
      const monitor = report.body.monitor_id.slice(0, 80);
      const why = reason.replace('The field "monitor_id"', "--monitor");
      onMonitorUnused(`The run names the monitor ${monitor}. ${why} It is recorded without a monitor.`);
    } else if (code === codes.logGap && report.operation === "log" && !report.body.gap) outbox.noteGap(report.sequence);
    else if (code === codes.taskUnknown && begin && !hasBegunAgain) {
      // The service may have been restored from an older backup.
      hasBegunAgain = true;
      again = begin;
    } else if (code === codes.leaseForeign || code === codes.idTaken) {
      // Another token has begun it; a token that may not read tasks only learns that the id is taken.
      if (!(await takeOver())) return { result: "held" };
    } else if ((answer.status === 409 && report.operation !== "log") || answer.status === 404) {
      return await refuse(reason);
    } else setAside(report, reason);
    return undefined;
  }

  try {
    while (outbox.pending().length > 0) {
      const sent = [...(again ? [again] : []), ...batchOf(outbox.pending(), most)];
      again = undefined;
      await outbox.written();
      let results: readonly Result[];
      try {
        const reports = sent.map((report) => toSent(report, outbox, attempt));
        results = (await client.tasks.report({ reports }, { retries: 0, signal })).results;
      } catch (error) {
        if (!(error instanceof HoldfastError) || !isAboutBody(error)) throw error;
        // One of them makes the whole request wrong: they are sent one by one.
        if (most > 1) most = 1;
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
function batchOf(pending: readonly SpooledReport[], most: number): SpooledReport[] {
  const batch: SpooledReport[] = [];
  let bytes = 0;
  for (const report of pending.slice(0, most)) {
    bytes += bytesOf(report);
    if (batch.length > 0 && bytes > maxBytes) break;
    batch.push(report);
  }
  return batch;
}

/** A report as it is sent: ages are made now. */
function toSent(report: SpooledReport, { header }: Outbox, attempt: number): SentReports[number] {
  const { sequence } = report;
  const task_id = header.task_id;
  const attempted = attempt > 1 ? { attempt } : {};
  if (report.operation === "log") return { operation: "log", task_id, body: { ...report.body, ...attempted } };
  const age_ms = ageOf(report, header, momentNow());
  return report.operation === "create"
    ? { operation: "create", task_id, body: { ...beginBody(report), id: task_id, sequence, age_ms } }
    : { operation: "update", task_id, body: { ...report.body, sequence, age_ms, ...attempted } };
}

/** What a monitor decides is left to it. */
function beginBody({ body, left_to_monitor: left = [] }: Extract<SpooledReport, { operation: "create" }>) {
  if (body.monitor_id === undefined) return body;
  const kept = { ...body };
  for (const field of left) delete kept[field];
  return kept;
}

function isAboutBody({ status }: HoldfastError): boolean {
  return [400, 413, 415, 422].includes(status);
}

function errorOf({ status, errors = [] }: Result): HoldfastError {
  return new HoldfastError({ status, faults: errors });
}
