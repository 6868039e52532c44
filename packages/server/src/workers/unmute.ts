import type { Database } from "../database/database";
import { hasExpiredMutes, unmuteEntities } from "../resources/entities/unmute";
import { type PeriodicWorker, type PeriodicWorkerParts, startPeriodicWorker } from "./periodic-worker";

export interface UnmuteParts extends PeriodicWorkerParts {
  database: Database;
  clock: () => number;
}

/**
 * Ends the mutes of protected entities when their time comes. The state of a mute is stored, not compared with a clock when it is
 * read, so that cached responses stay correct.
 */
export function startUnmuting(parts: UnmuteParts): PeriodicWorker {
  const { database, clock } = parts;
  return startPeriodicWorker(parts, {
    name: "unmute",
    intervalMs: 5_000,
    maxSilenceMs: 60_000,
    failure: "Mutes of protected entities could not be ended. It is tried again.",
    async run() {
      // Reading keeps no other process from writing, and mostly there is nothing to do.
      if (await database.snapshot((db) => hasExpiredMutes(db, clock()))) {
        await database.change((db) => unmuteEntities(db, clock()));
      }
    },
  });
}
