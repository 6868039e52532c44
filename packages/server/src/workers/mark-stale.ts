import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { DatabaseAway, DatabaseBroken } from "../database/errors";
import type { Log } from "../observe/log";
import type { WorkerHealth } from "../observe/worker-health";
import { findStaleWork, markStale } from "../resources/entities/mark-stale";
import { queueStaleEntities } from "../resources/webhooks/queue-stale-entities";

export interface SilenceWatchParts {
  database: Database;
  clock: () => number;
  log: Log;
  workers: WorkerHealth;
  /** After how many days without a good backup what nothing watches is stale, unless a unit says otherwise. */
  staleAfterDays: number;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

/** What notices that backups no longer come which no monitor expects. */
export interface SilenceWatch {
  /** Does once what is otherwise done every few seconds. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

const intervalMs = 10_000;
/** After so long without a look it stands still. */
const maxSilenceMs = 10 * 60_000;
const entitiesPerTransaction = 100;

/** Starts to look for silence. How each item stands is in the database, so of several processes one notices it. */
export function startSilenceWatch(parts: SilenceWatchParts): SilenceWatch {
  const { database, clock, log, workers, staleAfterDays, onBroken } = parts;
  const worker = workers.begin("silence", maxSilenceMs);
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, intervalMs).unref();

  function begin(): void {
    running = look().then(() => {
      if (!isStopped) timer = setTimeout(begin, intervalMs).unref();
    });
  }

  async function look(): Promise<void> {
    try {
      // Reading keeps no other process from writing, and mostly there is nothing to do.
      const work = [...(await database.snapshot((db) => findStaleWork(db, staleAfterDays)))];
      for (let from = 0; from < work.length && !isStopped; from += entitiesPerTransaction) {
        const some = new Map(work.slice(from, from + entitiesPerTransaction));
        const stale = await database.change(async (db) => {
          const found = await markStale(db, some);
          await queueStaleEntities(db, found, clock());
          return found;
        });
        for (const { row } of stale) {
          log.warn("A protected item has had no good backup for too long, and no monitor watches it.", {
            detail: `entity ${row.id}`,
          });
        }
        worker.ran();
      }
      hasFailed = false;
      worker.ran();
    } catch (error) {
      if (error instanceof DatabaseBroken) onBroken(error);
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseAway)) {
        log.warn("Protected items without a monitor could not be looked at. It is tried again.", {
          error: errorMessage(error),
        });
      }
      hasFailed = true;
      if (error instanceof DatabaseAway) worker.ran();
    }
  }

  return {
    look,
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
      worker.stop();
    },
  };
}
