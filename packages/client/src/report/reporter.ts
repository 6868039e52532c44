import type { BodyOf } from "../declared";
import { HoldfastError } from "../error";
import type { Tasks } from "../tasks";
import { wait } from "../wait";
import type { Delivery, Lease } from "./deliver";
import type { Outbox, WaitingReport } from "./outbox";

type UpdateBody = BodyOf<"tasks", "update-task">;
type Progress = Pick<UpdateBody, "progress_percentage" | "progress_message">;

export interface ReporterParts {
  tasks: Pick<Tasks, "update">;
  /** Holds the beginning already. */
  outbox: Pick<Outbox<WaitingReport>, "taskId" | "addAll">;
  /** Sends what the outbox holds. */
  deliver: (signal: AbortSignal) => Promise<Delivery>;
  /** Puts what has been added to the log since the last time into the outbox. */
  collectLog: () => void;
  leaseSeconds: number;
  /** Interval between reports of log and progress, in milliseconds. */
  reportEveryMs: number;
  /** After so long, in milliseconds, they are reported as seldom as the service asks for. */
  oftenForMs: number;
  /** The shortest time between two attempts to reach a service that is away, in milliseconds. */
  minPauseMs: number;
  /** Called once, when the task is asked to abort. */
  onAbort: (reason: string | null) => void;
  /** Called with why a heartbeat was not accepted. It is tried again. */
  onMissedBeat: (error: unknown) => void;
  /** Called if the reporter itself fails. */
  onBroken: (error: unknown) => void;
}

/** Reports a task while it goes on. Nothing that it does throws, and nothing waits for it but the end. */
export interface Reporter {
  progress(progress: Progress): void;
  /** Reports the end, and tries to deliver it until the signal, as long as another attempt fits into the time that is left. */
  end(
    body: UpdateBody,
    limits: { signal: AbortSignal; leftMs: () => number },
  ): Promise<"delivered" | "refused" | "late">;
}

const maxPauseMs = 60_000;
const forbiddenPauseMs = 300_000;
const heldPauseMs = 30_000;
/** Maximum time for which the service may hold a heartbeat back, in seconds: an abort ends the wait. */
const longPollSeconds = 25;

/** Begins to report a task. */
export function createReporter(parts: ReporterParts): Reporter {
  const { tasks, outbox, deliver, collectLog, leaseSeconds, reportEveryMs, oftenForMs, minPauseMs } = parts;
  const { onAbort, onMissedBeat, onBroken } = parts;
  const startedAt = performance.now();
  const over = new AbortController();
  const leave = new AbortController();
  let lease: Lease | undefined;
  let latest: Progress | undefined;
  let isRefused = false;
  let isAborting = false;

  function heed(answer: Lease | null | undefined): void {
    lease = answer ?? lease;
    if (!answer?.abort_requested || isAborting) return;
    isAborting = true;
    onAbort(answer.abort_reason);
  }

  /** Puts what was gathered into the outbox. */
  function collect(): void {
    collectLog();
    if (latest) outbox.addAll([{ operation: "update", body: latest }]);
    latest = undefined;
  }

  async function deliverNow(): Promise<Delivery> {
    const delivery = await deliver(leave.signal);
    if (delivery.result === "delivered") heed(delivery.lease);
    isRefused = delivery.result === "refused";
    return delivery;
  }

  /** Delay after a failed delivery, in milliseconds. */
  function pauseAfter(delivery: Delivery, failures: number): number {
    if (delivery.result === "forbidden") return forbiddenPauseMs;
    if (delivery.result === "held") return heldPauseMs;
    const asked = delivery.result === "away" ? (delivery.error.retryAfter ?? 0) * 1000 : 0;
    const backoff = Math.min(minPauseMs * 2 ** failures, (leaseSeconds * 1000) / 6, maxPauseMs);
    return Math.max(asked, backoff) * (0.8 + 0.4 * Math.random());
  }

  function betweenReports(): number {
    const isYoung = performance.now() - startedAt < oftenForMs;
    return isYoung ? reportEveryMs : Math.max(reportEveryMs, (lease?.next_report_seconds ?? 0) * 1000);
  }

  /** Delivers from time to time, until the work has ended. */
  async function report(): Promise<void> {
    let failures = 0;
    while (!over.signal.aborted && !isRefused) {
      collect();
      const delivery = await deliverNow();
      failures = delivery.result === "delivered" ? 0 : failures + 1;
      await wait(failures === 0 ? betweenReports() : pauseAfter(delivery, failures - 1), over.signal);
    }
  }

  /** Keeps the lease, and hears of an abort at once: the service holds each heartbeat back until there is one. */
  async function beat(): Promise<void> {
    while (!over.signal.aborted && !isRefused) {
      const sentAt = performance.now();
      let pause = 1_000;
      if (lease) {
        try {
          const body = isAborting ? {} : { wait_seconds: longPollSeconds };
          const options = { retries: 0, signal: over.signal, timeoutMs: (longPollSeconds + 15) * 1000 };
          const answer = await tasks.update(outbox.taskId, body, options);
          if ("lease" in answer) heed(answer.lease);
          if (isAborting) pause = 5_000;
        } catch (error) {
          if (over.signal.aborted) return;
          onMissedBeat(error);
          pause = Math.max(5_000, error instanceof HoldfastError ? (error.retryAfter ?? 0) * 1000 : 0);
        }
      }
      await wait(Math.max(200, pause - (performance.now() - sentAt)), over.signal);
    }
  }

  const ignoreEnd = (error: unknown) => {
    if (!over.signal.aborted) onBroken(error);
  };
  const reporting = report().catch(ignoreEnd);
  void beat().catch(ignoreEnd);

  return {
    progress(progress) {
      latest = { ...latest, ...progress };
    },
    async end(body, { signal, leftMs }) {
      const hurry = () => leave.abort();
      signal.addEventListener("abort", hurry, { once: true });
      if (signal.aborted) hurry();
      over.abort();
      collect();
      outbox.addAll([{ operation: "update", body }]);
      await reporting;
      try {
        for (let failures = 0; !isRefused; failures++) {
          const delivery = await deliverNow();
          if (delivery.result === "delivered") return "delivered";
          const pause = pauseAfter(delivery, failures);
          if (isRefused || pause > leftMs()) break;
          await wait(pause, leave.signal);
        }
      } catch {
        // The time is over. What is left waits in the outbox.
      }
      return isRefused ? "refused" : "late";
    },
  };
}
