import { createDice } from "../random";
import { beat, deliver, type Queue, type ReportTarget } from "./deliver";
import { openLedger, type ReportedEnd, type RunnerReport, readLedger, runsOf } from "./ledger";

/** Options of a runner. */
export interface RunnerOptions extends ReportTarget {
  ledger: string;
  seed: number;
  /** Number of tasks that run at the same time. */
  lanes: number;
  /** Maximum duration of a step of its work, in milliseconds. */
  step: number;
  leaseSeconds: number;
  /** Timeout for the answer to a heartbeat, which may be held back for a sixth of a lease, in milliseconds. */
  timeoutMs: number;
  /** True if its tasks never end by themselves. */
  isEndless: boolean;
}

// A process of its own that runs tasks, one after the other in each lane, and reports them as a runner does: what it does is
// written down first, and delivered until it is acknowledged, also by the process that comes after it. On SIGTERM it ends
// what it runs, and itself. On SIGUSR2 it stops working on what it runs, and lives on.
const options: RunnerOptions = JSON.parse(process.argv[2] ?? "{}");
const dice = createDice(options.seed);
const unfinished = [...runsOf(readLedger(options.ledger)).values()];
const ledger = openLedger(options.ledger);
let isEnding = false;
let isIdle = false;
process.on("SIGTERM", () => {
  isEnding = true;
});
process.on("SIGUSR2", () => {
  isIdle = true;
});

const ends: readonly ReportedEnd[] = [
  { status: "completed", outcome: "success", code: null },
  { status: "completed", outcome: "warning", code: "files_unreadable" },
  { status: "failed", outcome: "error", code: "repository_locked" },
  { status: "aborted", outcome: "cancelled", code: null },
];
const aborted: ReportedEnd = { status: "aborted", outcome: "cancelled", code: null };

/** Delivers what a former process has ended and not delivered. What it had not ended died with it. */
async function deliverLeftOver(): Promise<void> {
  for (const { sentReports, heard } of unfinished) {
    const last = sentReports.at(-1);
    if (!last?.ended) continue;
    const waiting = sentReports.filter(({ sequence }) => !heard.has(sequence));
    await deliver(options, ledger, { waiting, delivered: [] }, dice);
  }
}

async function runTask(): Promise<void> {
  const task = crypto.randomUUID();
  const queue: Queue = { waiting: [], delivered: [] };
  let delivering = Promise.resolve();
  let sequence = 0;
  let percentage = 0;
  let isOver = false;
  let isAbortAsked = false;

  function did(body: Record<string, unknown>, more: Partial<Pick<RunnerReport, "isQueued" | "ended">> = {}): void {
    sequence += 1;
    const sentReport: RunnerReport = {
      task,
      sequence,
      body: { ...body, sequence, progress_message: `did ${sequence}` },
      isQueued: false,
      percentage,
      ended: null,
      at: Date.now(),
      ...more,
    };
    // First written down, then said.
    ledger.write({ kind: "did", ...sentReport });
    queue.waiting.push(sentReport);
    delivering = delivering.then(() => deliver(options, ledger, queue, dice));
  }

  async function live(): Promise<void> {
    await delivering;
    for (; !isOver; await Bun.sleep(5)) {
      const lease = await beat(options, task, options.timeoutMs);
      if (lease?.abort_requested) isAbortAsked = true;
      if (lease === undefined) await Bun.sleep(options.timeoutMs / 20);
    }
  }

  const isQueued = dice(5) === 0;
  const about = { id: task, category: "backup", type: "tests_backup", lease_seconds: options.leaseSeconds };
  did({ ...about, status: isQueued ? "queued" : "in_progress", can_abort: true }, { isQueued });
  // A queued task takes no progress, so it is claimed before anything else is said.
  if (isQueued) did({ status: "in_progress", claim_id: crypto.randomUUID() });
  const living = live();
  for (let steps = dice(6); (steps > 0 || options.isEndless) && !isEnding && !isAbortAsked; steps -= 1) {
    await Bun.sleep(1 + dice(options.step));
    // Often the engine counts back, which must not show.
    const said = dice(100);
    percentage = Math.max(percentage, said);
    did({ progress_percentage: said });
  }
  while (isIdle && !isEnding && !isAbortAsked) await Bun.sleep(20);
  const ended = isAbortAsked ? aborted : (ends[dice(ends.length)] ?? aborted);
  const error = ended.code === null ? {} : { error: { code: ended.code, message: "It did not go well." } };
  did({ status: ended.status, outcome: ended.outcome, ...error }, { ended });
  await delivering;
  isOver = true;
  await living;
}

async function runLane(): Promise<void> {
  while (!isEnding) await runTask();
}

// A test that was cut short leaves no runner behind.
const parent = process.ppid;
setInterval(() => process.ppid === parent || process.exit(1), 500).unref();

ledger.write({ kind: "started" });
const leftOver = deliverLeftOver();
await Promise.all(Array.from({ length: options.lanes }, runLane));
await leftOver;
ledger.close();
