import type { Database } from "./database/database";
import { refreshOldStatistics } from "./database/task-indexes";
import type { Log } from "./observe/log";
import { removeOldTasks } from "./resources/tasks/retention";

export interface UpkeepParts {
  database: Database;
  /** For how many days tasks are kept; 0 is for good. */
  days: number;
  clock: () => number;
  log: Log;
  /** How long after the start it is done for the first time, in milliseconds. */
  firstAfter?: number;
}

/** What the service does by itself, every hour. */
export interface Upkeep {
  /** Waits until what is being done has come to a point where it can stop. */
  stop(): Promise<void>;
}

const hour = 3_600_000;

/** Starts to look after the tasks: removes old ones, and keeps the database's picture of them fresh. */
export function startUpkeep({ database, days, clock, log, firstAfter = 10_000 }: UpkeepParts): Upkeep {
  const stopping = new AbortController();
  const toldOf = new Set<string>();
  let running = Promise.resolve();
  let timer = setTimeout(begin, firstAfter).unref();

  function begin(): void {
    running = attempt(async () => {
      if (days > 0) await removeOld();
      if (!stopping.signal.aborted) await database.change(refreshOldStatistics, { amongOthers: true });
    });
    timer = setTimeout(begin, hour).unref();
  }

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      log.warn("The tasks could not be looked after. It is tried again in an hour.", {
        error: error instanceof Error ? error.message : String(error),
      });
    }
  }

  async function removeOld(): Promise<void> {
    const months = await removeOldTasks(database, { days, now: clock(), signal: stopping.signal });
    for (const { month, removed, unfinished } of months) {
      if (removed > 0) {
        log.info("Tasks were removed that are older than task_retention_days.", {
          detail: `${removed} tasks of ${month.label}`,
        });
      }
      if (unfinished > 0 && !toldOf.has(month.label)) {
        toldOf.add(month.label);
        log.info("A month is older than task_retention_days, but kept until all of its tasks are finished.", {
          detail: `${unfinished} tasks of ${month.label} are not finished`,
        });
      }
    }
  }

  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}
