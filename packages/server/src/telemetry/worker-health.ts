import type { Log } from "./log";

/** Work that the service does by itself, over and over. */
export const workerNames = [
  "lease_sweep",
  "maintenance",
  "missed_runs",
  "unmute",
  "stale_items",
  "webhook_deliveries",
  "reminders",
] as const;
export type WorkerName = (typeof workerNames)[number];

/** A worker that has begun, and says so whenever it has run. */
export interface WatchedWorker {
  ran(): void;
  stop(): void;
}

/** Knows which workers of this process stand still. */
export interface WorkerHealth {
  /** A worker begins, which has to run at least so often, in milliseconds. */
  begin(name: WorkerName, maxIntervalMs: number): WatchedWorker;
  /** Those that have not run in time when that was last looked at. */
  standingStill(): WorkerName[];
  /** Looks at once at what is otherwise looked at every few seconds. */
  look(): void;
}

export interface WorkerHealthParts {
  log: Log;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic: () => number;
}

interface Watched {
  name: WorkerName;
  maxIntervalMs: number;
  ranAt: number;
  isStill: boolean;
}

const lookEvery = 5_000;

/** Makes what watches workers. It logs once when one stands still, and once when it runs again. */
export function createWorkerHealth({ log, monotonic }: WorkerHealthParts): WorkerHealth {
  const workers = new Set<Watched>();
  let lookedAt = monotonic();
  let timer: ReturnType<typeof setInterval> | undefined;

  function look(): void {
    const now = monotonic();
    // The whole process was held up, and what is watched has not had its turn since.
    const wasHeldUp = now - lookedAt > 3 * lookEvery;
    lookedAt = now;
    for (const worker of workers) {
      const silent = now - worker.ranAt;
      if (wasHeldUp || worker.isStill || silent <= worker.maxIntervalMs) continue;
      worker.isStill = true;
      log.error("A worker stands still.", { detail: `${worker.name} has not run for ${Math.round(silent / 1000)} s` });
    }
  }

  return {
    look,
    standingStill: () => [...new Set([...workers].filter(({ isStill }) => isStill).map(({ name }) => name))],
    begin(name, maxIntervalMs) {
      const worker: Watched = { name, maxIntervalMs, ranAt: monotonic(), isStill: false };
      if (workers.size === 0) lookedAt = monotonic();
      workers.add(worker);
      timer ??= setInterval(look, lookEvery).unref();
      return {
        ran() {
          worker.ranAt = monotonic();
          if (worker.isStill) log.info("A worker runs again.", { detail: name });
          worker.isStill = false;
        },
        stop() {
          workers.delete(worker);
          if (workers.size > 0) return;
          clearInterval(timer);
          timer = undefined;
        },
      };
    },
  };
}
