import { errorMessage } from "@holdfast/api/conventions/error-message";
import type { Database } from "../database/database";
import { DatabaseAway } from "../database/errors";
import type { Log } from "../observe/log";
import type { WorkerHealth } from "../observe/worker-health";
import { endMutes, hasEndedMutes } from "../resources/entities/end-mutes";

export interface MuteWatchParts {
  database: Database;
  clock: () => number;
  log: Log;
  workers: WorkerHealth;
}

/** What ends the mutes of protected entities. */
export interface MuteWatch {
  /** Does once what is otherwise done every few seconds. */
  look(): Promise<void>;
  stop(): Promise<void>;
}

/** How often it looks, in milliseconds. */
const interval = 5_000;
/** After so long without a look, in milliseconds, it stands still. */
const longestSilence = 60_000;

/**
 * Ends mutes when their moment comes. Whether an entity is muted is stored, not compared with a clock when it is read, so
 * answers that are remembered stay right.
 */
export function startMuteWatch({ database, clock, log, workers }: MuteWatchParts): MuteWatch {
  const worker = workers.begin("ends_of_mutes", longestSilence);
  let isStopped = false;
  let hasFailed = false;
  let running = Promise.resolve();
  let timer = setTimeout(begin, interval).unref();

  function begin(): void {
    running = look().then(() => {
      if (!isStopped) timer = setTimeout(begin, interval).unref();
    });
  }

  async function look(): Promise<void> {
    try {
      // Reading keeps no other process from writing, and mostly there is nothing to do.
      if (await database.snapshot((db) => hasEndedMutes(db, clock()))) {
        await database.change((db) => endMutes(db, clock()));
      }
      hasFailed = false;
      worker.ran();
    } catch (error) {
      // A database that is away has been logged where it was noticed.
      if (!hasFailed && !(error instanceof DatabaseAway)) {
        log.warn("Mutes of protected entities could not be ended. It is tried again.", { error: errorMessage(error) });
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
