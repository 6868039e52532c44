import { setTimeout as sleep } from "node:timers/promises";
import { type BodyOf, type Client, HoldfastError } from "@holdfast/client";
import type { Ending, Progress } from "../engines/engine";
import { type Delivery, deliver, type Lease } from "../spool/deliver";
import type { Outbox } from "../spool/outbox";
import type { SpoolFolder } from "../spool/spool-folder";
import type { LogBuffer } from "./log-buffer";
import type { ServicePresence } from "./service-presence";
import type { Stopped } from "./stop-command";

export interface ReportParts {
  /** Acts in the unit of the run. */
  client: Client;
  /** Holds the beginning already. */
  outbox: Outbox;
  folder: SpoolFolder | undefined;
  /** Output of the command that is not reported yet. */
  log: LogBuffer;
  presence: ServicePresence;
  leaseSeconds: number;
  onAbort: () => void;
  warn: (message: string) => void;
}

/** Reports a run while it goes on. Nothing that it does throws, and nothing waits for it but the end. */
export interface RunReport {
  progress(progress: Progress): void;
  /** Reports the end and tries to deliver it. True: the service has it. */
  end(ending: Ending, stopped: Stopped | undefined, limits: EndLimits, hurry: AbortSignal): Promise<boolean>;
}

/** Time to try to deliver the end, in milliseconds. */
export interface EndLimits {
  lingerMs: number;
  /** The limit for a service that has not answered when it was last asked. */
  absentMs: number;
}

/** How often log and progress are reported, in milliseconds; after two minutes as seldom as the service asks for. */
const reportEveryMs = 5_000;
const oftenForMs = 120_000;
const forbiddenPauseMs = 300_000;
/** How long a heartbeat may be held back, in seconds: an abort ends the wait. */
const heldSeconds = 25;

/** Begins to report a run. */
export function reportRun(parts: ReportParts): RunReport {
  const { client, outbox, folder, log, presence, leaseSeconds, onAbort, warn } = parts;
  const startedAt = performance.now();
  const over = new AbortController();
  const leave = new AbortController();
  let lease: Lease | undefined;
  let latest: Progress | undefined;
  let isDone = false;
  let isAborting = false;
  const warned = new Set<string>();

  function warnOnce(kind: string, message: string): void {
    if (warned.has(kind)) return;
    warned.add(kind);
    warn(message);
  }

  function heed(answer: Lease | null | undefined): void {
    lease = answer ?? lease;
    if (!answer?.abort_requested || isAborting) return;
    isAborting = true;
    onAbort();
  }

  function gatherLog(): void {
    outbox.addAll(log.take().map((body) => ({ operation: "log", body })));
  }

  /** Puts what was gathered into the outbox. */
  function gather(): void {
    gatherLog();
    if (latest) outbox.add({ operation: "update", body: progressBody(latest) });
    latest = undefined;
  }

  async function deliverNow(): Promise<Delivery> {
    const onRefused = (reason: string) => warnOnce("refused", `The service refuses a report: ${reason}`);
    const onMonitorUnused = (message: string) => warnOnce("monitor", message);
    const delivery = await deliver({ client, folder, signal: leave.signal, onRefused, onMonitorUnused }, outbox);
    if (delivery.result === "away") presence.noteFailure(delivery.error);
    if (delivery.result === "delivered") heed(delivery.lease);
    if (delivery.result === "refused") isDone = true;
    if (delivery.result === "forbidden") {
      warnOnce("forbidden", `The service refuses the token: ${refusalOf(delivery.error)} The command runs on.`);
    }
    return delivery;
  }

  /** How long to wait after a delivery that did not work, in milliseconds. */
  function pauseAfter(delivery: Delivery, failures: number): number {
    if (delivery.result === "forbidden") return forbiddenPauseMs;
    if (delivery.result === "held") return 30_000;
    const asked = delivery.result === "away" ? (delivery.error.retryAfter ?? 0) * 1000 : 0;
    const usual = Math.min(1_000 * 2 ** failures, (leaseSeconds * 1000) / 6, 60_000);
    return Math.max(asked, usual) * (0.8 + 0.4 * Math.random());
  }

  function betweenReports(): number {
    const isYoung = performance.now() - startedAt < oftenForMs;
    return isYoung ? reportEveryMs : Math.max(reportEveryMs, (lease?.next_report_seconds ?? 0) * 1000);
  }

  /** Delivers from time to time, until the command has ended. */
  async function report(): Promise<void> {
    let failures = 0;
    while (!over.signal.aborted && !isDone) {
      gather();
      const delivery = await deliverNow();
      failures = delivery.result === "delivered" ? 0 : failures + 1;
      const pause = failures === 0 ? betweenReports() : pauseAfter(delivery, failures - 1);
      await sleep(pause, undefined, { signal: over.signal });
    }
  }

  /** Keeps the lease, and hears of an abort at once: the service holds each heartbeat back until there is one. */
  async function beat(): Promise<void> {
    while (!over.signal.aborted && !isDone) {
      const sentAt = performance.now();
      let pause = 1_000;
      if (lease) {
        try {
          const body = isAborting ? {} : { wait_seconds: heldSeconds };
          const options = { retries: 0, signal: over.signal, timeoutMs: (heldSeconds + 15) * 1000 };
          const answer = await client.tasks.update(outbox.header.task_id, body, options);
          if ("lease" in answer) heed(answer.lease);
          if (isAborting) pause = 5_000;
        } catch (error) {
          // What is wrong is said by the next report; a heartbeat is only tried again.
          presence.noteFailure(error);
          const asked = error instanceof HoldfastError ? (error.retryAfter ?? 0) * 1000 : 0;
          pause = Math.max(5_000, asked);
        }
      }
      await sleep(Math.max(200, pause - (performance.now() - sentAt)), undefined, { signal: over.signal });
    }
  }

  const ignoreEnd = (error: unknown) => {
    if (!over.signal.aborted) warnOnce("broken", `The run is not reported any more: ${error}`);
  };
  // Also while the service is away: of a runner that is killed, what is in the spool is all that is left.
  const timers = [setInterval(gatherLog, reportEveryMs), setInterval(outbox.touch, 1_000)];
  for (const timer of timers) timer.unref();
  const reporting = report().catch(ignoreEnd);
  void beat().catch(ignoreEnd);

  return {
    progress(progress) {
      latest = { ...latest, ...progress };
    },
    async end(ending, stopped, { lingerMs, absentMs }, hurry) {
      const endedAt = performance.now();
      const left = new AbortController();
      const timer = setTimeout(() => leave.abort(), lingerMs);
      void sleepAwake(absentMs, left.signal).then(() => presence.isThere() || leave.abort());
      hurry.addEventListener("abort", () => leave.abort(), { once: true });
      if (hurry.aborted) leave.abort();
      over.abort();
      for (const one of timers) clearInterval(one);
      gather();
      outbox.add({ operation: "update", body: endBody(ending, stopped) });
      await reporting;
      let isDelivered = false;
      try {
        for (let failures = 0; !isDelivered && !isDone; failures++) {
          const delivery = await deliverNow();
          isDelivered = delivery.result === "delivered";
          if (isDelivered || isDone) break;
          const pause = pauseAfter(delivery, failures);
          if (performance.now() + pause > endedAt + (presence.isThere() ? lingerMs : absentMs)) break;
          await sleep(pause, undefined, { signal: leave.signal });
        }
      } catch {
        // The time is over. What is left waits in the spool.
      }
      clearTimeout(timer);
      left.abort();
      if (isDelivered) await outbox.remove();
      else if (!isDone) {
        const isKept = await outbox.close();
        warn(
          isKept && folder
            ? `The end of the run is not delivered yet. It waits in ${folder.path}; the next run delivers it, or holdfast spool deliver.`
            : "The end of the run could not be reported, and there is no spool that could keep it.",
        );
      }
      return isDelivered;
    },
  };
}

/**
 * Waits for so long as this process gets to run: on a busy machine, the service needs longer to answer, too. Ends at once
 * when the signal is given.
 */
async function sleepAwake(milliseconds: number, signal: AbortSignal): Promise<void> {
  const steps = 6;
  for (let step = 0; step < steps && !signal.aborted; step++) {
    await sleep(milliseconds / steps, undefined, { signal }).catch(() => {});
  }
}

function progressBody({ percentage, message }: Progress): BodyOf<"tasks", "update-task"> {
  return {
    ...(percentage === undefined ? {} : { progress_percentage: percentage }),
    ...(message === undefined ? {} : { progress_message: message }),
  };
}

function endBody(
  { status, outcome, error, progressMessage }: Ending,
  stopped: Stopped | undefined,
): BodyOf<"tasks", "update-task"> {
  return {
    status,
    outcome,
    ...(error ? { error } : {}),
    ...(progressMessage === undefined ? {} : { progress_message: progressMessage }),
    ...(stopped && status !== "completed" ? { abort: stopped } : {}),
  };
}

/** A service does not offer reports to a role without the permission, and the client does not know its name. */
function refusalOf({ forbidden, message }: HoldfastError): string {
  return forbidden === undefined
    ? message
    : "its role lacks the permission tasks:report. Make one with the role reporter.";
}
