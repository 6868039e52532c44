import type { Dice } from "../random";
import type { Ledger, RunnerReport } from "./ledger";

/** Who is reported to, and as whom. */
export interface ReportTarget {
  url: string;
  token: string;
}

/** Queue of a runner's reports on one task. */
export interface Queue {
  waiting: RunnerReport[];
  delivered: RunnerReport[];
}

/** Answer to a runner about its lease. */
export interface HeardLease {
  abort_requested: boolean;
}

interface Heard {
  status: number;
  lease: HeardLease | null;
  text: string;
}

/** Sends one request. Gives nothing where no answer came in time, or only that it should be tried again. */
async function send(
  { url, token }: ReportTarget,
  request: { method: string; path: string; body: object },
  timeoutMs: number,
): Promise<Heard | undefined> {
  try {
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    if (response.status === 429 || response.status >= 500) return undefined;
    return { status: response.status, lease: JSON.parse(text).lease ?? null, text };
  } catch {
    // The next attempt finds out if it was done.
    return undefined;
  }
}

/** Says that the runner of a task lives, and hears whether it is to abort. */
export async function beat(to: ReportTarget, task: string, timeoutMs: number): Promise<HeardLease | null | undefined> {
  const heard = await send(to, { method: "PATCH", path: `/tasks/${task}`, body: { wait_seconds: 5 } }, timeoutMs);
  return heard?.status === 200 ? heard.lease : undefined;
}

function isCreate({ sequence }: RunnerReport): boolean {
  return sequence === 1;
}

/** A report as it is sent now: with how long ago it happened. */
function bodyOf({ body, at }: RunnerReport): object {
  return { ...body, age_ms: Math.max(0, Math.round(Date.now() - at)) };
}

function requestOf(sentReport: RunnerReport): { method: string; path: string; body: object } {
  return isCreate(sentReport)
    ? { method: "POST", path: "/tasks", body: bodyOf(sentReport) }
    : { method: "PATCH", path: `/tasks/${sentReport.task}`, body: bodyOf(sentReport) };
}

/**
 * Delivers what a runner did, in order, each until it is acknowledged: one by one or together, sometimes twice at once,
 * sometimes an old one again, and about every fourth time with a shorter timeout than the service needs.
 */
export async function deliver(to: ReportTarget, ledger: Ledger, queue: Queue, dice: Dice): Promise<void> {
  const { waiting, delivered } = queue;
  while (waiting.length > 0) {
    const together = waiting.slice(0, dice(3) === 0 ? 4 : 1);
    const timeoutMs = dice(4) === 0 ? 1 + dice(20) : 3_000;
    const accepted = await (together.length > 1 ? sendBatch : sendOne)(to, ledger, together, timeoutMs, dice);
    for (const { task, sequence } of together.slice(0, accepted)) ledger.write({ kind: "heard", task, sequence });
    delivered.push(...waiting.splice(0, accepted));
    const old = dice(4) === 0 ? delivered[dice(delivered.length)] : undefined;
    if (old) await send(to, requestOf(old), 3_000);
    if (accepted === 0) await Bun.sleep(20 + dice(60));
  }
}

/** Sends the first, and gives how many were acknowledged. */
async function sendOne(
  to: ReportTarget,
  ledger: Ledger,
  [sentReport]: readonly RunnerReport[],
  timeoutMs: number,
  dice: Dice,
): Promise<number> {
  if (!sentReport) return 0;
  const request = requestOf(sentReport);
  const copies = dice(5) === 0 ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: copies }, () => send(to, request, timeoutMs)));
  const heard = answers.find((answer) => answer !== undefined);
  if (!heard) return 0;
  const isAccepted = heard.status === 200 || heard.status === 201;
  if (!isAccepted) refuse(ledger, sentReport, `${heard.status} ${heard.text}`);
  return 1;
}

/** Sends several as one batch, and gives how many were acknowledged: all, or none. */
async function sendBatch(
  to: ReportTarget,
  ledger: Ledger,
  sentReports: readonly RunnerReport[],
  timeoutMs: number,
): Promise<number> {
  const reports = sentReports.map((sentReport) => ({
    operation: isCreate(sentReport) ? "create" : "update",
    task_id: sentReport.task,
    body: bodyOf(sentReport),
  }));
  const heard = await send(to, { method: "POST", path: "/task-reports", body: { reports } }, timeoutMs);
  if (!heard) return 0;
  const results: { status: number }[] = heard.status === 200 ? JSON.parse(heard.text).results : [];
  for (const [index, sentReport] of sentReports.entries()) {
    const status = results[index]?.status ?? heard.status;
    if (status >= 300) refuse(ledger, sentReport, `${status} ${heard.text}`);
  }
  return sentReports.length;
}

function refuse(ledger: Ledger, { task, sequence }: RunnerReport, answer: string): void {
  ledger.write({ kind: "refused", task, sequence, answer });
}
