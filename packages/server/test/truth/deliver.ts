import type { Dice } from "../random";
import type { Deed, Ledger } from "./ledger";

/** Who is reported to, and as whom. */
export interface Recipient {
  url: string;
  token: string;
}

/** Queue of a runner's reports on one task. */
export interface Queue {
  waiting: Deed[];
  delivered: Deed[];
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
  { url, token }: Recipient,
  request: { method: string; path: string; body: object },
  patience: number,
): Promise<Heard | undefined> {
  try {
    const response = await fetch(`${url}${request.path}`, {
      method: request.method,
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify(request.body),
      signal: AbortSignal.timeout(patience),
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
export async function beat(to: Recipient, task: string, patience: number): Promise<HeardLease | null | undefined> {
  const heard = await send(to, { method: "PATCH", path: `/tasks/${task}`, body: { wait_seconds: 5 } }, patience);
  return heard?.status === 200 ? heard.lease : undefined;
}

function isCreate({ sequence }: Deed): boolean {
  return sequence === 1;
}

/** A report as it is sent now: with how long ago it happened. */
function bodyOf({ body, at }: Deed): object {
  return { ...body, age_ms: Math.max(0, Math.round(Date.now() - at)) };
}

function requestOf(deed: Deed): { method: string; path: string; body: object } {
  return isCreate(deed)
    ? { method: "POST", path: "/tasks", body: bodyOf(deed) }
    : { method: "PATCH", path: `/tasks/${deed.task}`, body: bodyOf(deed) };
}

/**
 * Delivers what a runner did, in order, each until it is acknowledged: one by one or together, sometimes twice at once,
 * sometimes an old one again, and about every fourth time with less patience than the service needs.
 */
export async function deliver(to: Recipient, ledger: Ledger, queue: Queue, dice: Dice): Promise<void> {
  const { waiting, delivered } = queue;
  while (waiting.length > 0) {
    const together = waiting.slice(0, dice(3) === 0 ? 4 : 1);
    const patience = dice(4) === 0 ? 1 + dice(20) : 3_000;
    const accepted = await (together.length > 1 ? sendBatch : sendOne)(to, ledger, together, patience, dice);
    for (const { task, sequence } of together.slice(0, accepted)) ledger.write({ kind: "heard", task, sequence });
    delivered.push(...waiting.splice(0, accepted));
    const old = dice(4) === 0 ? delivered[dice(delivered.length)] : undefined;
    if (old) await send(to, requestOf(old), 3_000);
    if (accepted === 0) await Bun.sleep(20 + dice(60));
  }
}

/** Sends the first, and gives how many were acknowledged. */
async function sendOne(
  to: Recipient,
  ledger: Ledger,
  [deed]: readonly Deed[],
  patience: number,
  dice: Dice,
): Promise<number> {
  if (!deed) return 0;
  const request = requestOf(deed);
  const copies = dice(5) === 0 ? 2 : 1;
  const answers = await Promise.all(Array.from({ length: copies }, () => send(to, request, patience)));
  const heard = answers.find((answer) => answer !== undefined);
  if (!heard) return 0;
  const isAccepted = heard.status === 200 || heard.status === 201;
  if (!isAccepted) refuse(ledger, deed, `${heard.status} ${heard.text}`);
  return 1;
}

/** Sends several as one batch, and gives how many were acknowledged: all, or none. */
async function sendBatch(to: Recipient, ledger: Ledger, deeds: readonly Deed[], patience: number): Promise<number> {
  const reports = deeds.map((deed) => ({
    operation: isCreate(deed) ? "create" : "update",
    task_id: deed.task,
    body: bodyOf(deed),
  }));
  const heard = await send(to, { method: "POST", path: "/task-reports", body: { reports } }, patience);
  if (!heard) return 0;
  const results: { status: number }[] = heard.status === 200 ? JSON.parse(heard.text).results : [];
  for (const [index, deed] of deeds.entries()) {
    const status = results[index]?.status ?? heard.status;
    if (status >= 300) refuse(ledger, deed, `${status} ${heard.text}`);
  }
  return deeds.length;
}

function refuse(ledger: Ledger, { task, sequence }: Deed, answer: string): void {
  ledger.write({ kind: "refused", task, sequence, answer });
}
