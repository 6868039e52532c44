import { setTimeout as sleep } from "node:timers/promises";
import type { BodyOf, Client, HoldfastError } from "@holdfast/client";
import type { Delivery } from "@holdfast/client/report/deliver";
import { createReporter } from "@holdfast/client/report/reporter";
import type { Ending, Progress } from "../engines/engine";
import { deliverRun } from "../spool/deliver-run";
import type { SpooledOutbox } from "../spool/outbox";
import type { SpoolFolder } from "../spool/spool-folder";
import type { LogBuffer } from "./log-buffer";
import type { ServicePresence } from "./service-presence";
import type { Stopped } from "./stop-command";

export interface ReportParts {
  /** Acts in the unit of the run. */
  client: Client;
  /** Holds the beginning already. */
  outbox: SpooledOutbox;
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

/** Interval between reports of log and progress, in milliseconds; after two minutes as seldom as the service asks for. */
const reportEveryMs = 5_000;
const oftenForMs = 120_000;
const minPauseMs = 1_000;

/** Begins to report a run. */
export function reportRun(parts: ReportParts): RunReport {
  const { client, outbox, folder, log, presence, leaseSeconds, onAbort, warn } = parts;
  const warned = new Set<string>();

  function warnOnce(kind: string, message: string): void {
    if (warned.has(kind)) return;
    warned.add(kind);
    warn(message);
  }

  const collectLog = () => outbox.addAll(log.take().map((body) => ({ operation: "log", body })));

  async function deliver(signal: AbortSignal): Promise<Delivery> {
    const onRefused = (reason: string) => warnOnce("refused", `The service refuses a report: ${reason}`);
    const onMonitorUnused = (message: string) => warnOnce("monitor", message);
    const delivery = await deliverRun({ client, folder, signal, onRefused, onMonitorUnused }, outbox);
    if (delivery.result === "away") presence.noteFailure(delivery.error);
    if (delivery.result === "forbidden") {
      warnOnce("forbidden", `The service refuses the token: ${refusalOf(delivery.error)} The command runs on.`);
    }
    return delivery;
  }

  // Also while the service is away: of a runner that is killed, what is in the spool is all that is left.
  const timers = [setInterval(collectLog, reportEveryMs), setInterval(outbox.touch, 1_000)];
  for (const timer of timers) timer.unref();
  const reporter = createReporter({
    tasks: client.tasks,
    outbox,
    deliver,
    collectLog,
    leaseSeconds,
    reportEveryMs,
    oftenForMs,
    minPauseMs,
    onAbort,
    // The next report tells what is wrong.
    onMissedBeat: presence.noteFailure,
    onBroken: (error) => warnOnce("broken", `The run is not reported any more: ${error}`),
  });

  return {
    progress: (progress) => reporter.progress(progressBody(progress)),
    async end(ending, stopped, { lingerMs, absentMs }, hurry) {
      const endedAt = performance.now();
      const [left, leave] = [new AbortController(), new AbortController()];
      const timer = setTimeout(() => leave.abort(), lingerMs);
      void sleepAwake(absentMs, left.signal).then(() => presence.isThere() || leave.abort());
      for (const one of timers) clearInterval(one);
      const signal = AbortSignal.any([hurry, leave.signal]);
      const leftMs = () => endedAt + (presence.isThere() ? lingerMs : absentMs) - performance.now();
      const result = await reporter.end(endBody(ending, stopped), { signal, leftMs });
      clearTimeout(timer);
      left.abort();
      if (result === "delivered") await outbox.remove();
      if (result === "late") {
        const isKept = await outbox.close();
        warn(
          isKept && folder
            ? `The end of the run is not delivered yet. It waits in ${folder.path}; the next run delivers it, or holdfast spool deliver.`
            : "The end of the run could not be reported, and there is no spool that could keep it.",
        );
      }
      return result === "delivered";
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
