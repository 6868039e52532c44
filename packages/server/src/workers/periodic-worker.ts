import { errorMessage } from "@holdfast/api/conventions/error-message";
import { DatabaseBroken, DatabaseUnavailable } from "../database/errors";
import type { Log } from "../telemetry/log";
import type { WorkerHealth, WorkerName } from "../telemetry/worker-health";

export interface PeriodicWorkerParts {
  log: Log;
  workers: WorkerHealth;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

export interface PeriodicWork {
  name: WorkerName;
  intervalMs: number;
  /** Time without a run after which the worker counts as standing still. */
  maxSilenceMs: number;
  /** Log message for a run that failed. */
  failure: string;
  run(progress: WorkProgress): Promise<void>;
}

/** Lets a run of several transactions say that it advances, and end early. */
export interface WorkProgress {
  advanced(): void;
  isStopped(): boolean;
}

/** Recurring background work on the database. */
export interface PeriodicWorker {
  /** Runs the work now, after the run that is in progress. Never rejects. */
  run(): Promise<void>;
  /** Waits until the run in progress has ended. */
  stop(): Promise<void>;
}

/** Starts to run work periodically, one run at a time. A failure is logged once, until a run succeeds. */
export function startPeriodicWorker(
  { log, workers, onBroken }: PeriodicWorkerParts,
  { name, intervalMs, maxSilenceMs, failure, run: work }: PeriodicWork,
): PeriodicWorker {
  const worker = workers.begin(name, maxSilenceMs);
  const progress: WorkProgress = { advanced: () => worker.ran(), isStopped: () => isStopped };
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, intervalMs).unref();

  function begin(): void {
    void run().then(() => {
      if (!isStopped) timer = setTimeout(begin, intervalMs).unref();
    });
  }

  function run(): Promise<void> {
    running = running.then(runOnce);
    return running;
  }

  async function runOnce(): Promise<void> {
    try {
      await work(progress);
      hasFailed = false;
      worker.ran();
    } catch (error) {
      if (error instanceof DatabaseBroken) onBroken(error);
      // The connection already logs that the database is unavailable.
      if (!hasFailed && !(error instanceof DatabaseUnavailable)) log.warn(failure, { error: errorMessage(error) });
      hasFailed = true;
      if (error instanceof DatabaseUnavailable) worker.ran();
    }
  }

  return {
    run,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      worker.stop();
    },
  };
}
