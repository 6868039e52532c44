import type { Database } from "../database/database";
import { findStaleWork, markStale } from "../resources/entities/mark-stale";
import { queueStaleEntities } from "../resources/webhooks/queue-stale-entities";
import { type PeriodicWorker, type PeriodicWorkerParts, startPeriodicWorker } from "./periodic-worker";

export interface StaleMarkingParts extends PeriodicWorkerParts {
  database: Database;
  clock: () => number;
  /** Days without a good backup after which an unwatched item is stale, unless its unit says otherwise. */
  staleAfterDays: number;
}

const entitiesPerTransaction = 100;

/**
 * Marks protected items as stale if their backups no longer come and no monitor expects them. The state of each item is in the
 * database, so of several processes one notices it.
 */
export function startStaleMarking(parts: StaleMarkingParts): PeriodicWorker {
  const { database, clock, log, staleAfterDays } = parts;
  return startPeriodicWorker(parts, {
    name: "stale_items",
    intervalMs: 10_000,
    maxSilenceMs: 10 * 60_000,
    failure: "Protected items without a monitor could not be looked at. It is tried again.",
    async run({ advanced, isStopped }) {
      // Reading keeps no other process from writing, and mostly there is nothing to do.
      const work = [...(await database.snapshot((db) => findStaleWork(db, staleAfterDays)))];
      for (let from = 0; from < work.length && !isStopped(); from += entitiesPerTransaction) {
        const batch = new Map(work.slice(from, from + entitiesPerTransaction));
        const stale = await database.change(async (db) => {
          const found = await markStale(db, batch);
          await queueStaleEntities(db, found, clock());
          return found;
        });
        for (const { row } of stale) {
          log.warn("A protected item has had no good backup for too long, and no monitor watches it.", {
            detail: `entity ${row.id}`,
          });
        }
        advanced();
      }
    },
  });
}
