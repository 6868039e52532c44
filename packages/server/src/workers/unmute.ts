import type { Database } from "../database/database";
import { endMutes, hasEndedMutes } from "../resources/entities/end-mutes";
import { type PeriodicWorker, type PeriodicWorkerParts, startPeriodicWorker } from "./periodic-worker";

export interface MuteWatchParts extends PeriodicWorkerParts {
  database: Database;
  clock: () => number;
}

/**
 * Ends the mutes of protected entities when their time comes. The state of a mute is stored, not compared with a clock when it is
 * read, so that cached responses stay correct.
 */
export function startMuteWatch(parts: MuteWatchParts): PeriodicWorker {
  const { database, clock } = parts;
  return startPeriodicWorker(parts, {
    name: "ends_of_mutes",
    intervalMs: 5_000,
    maxSilenceMs: 60_000,
    failure: "Mutes of protected entities could not be ended. It is tried again.",
    async run() {
      // Reading keeps no other process from writing, and mostly there is nothing to do.
      if (await database.snapshot((db) => hasEndedMutes(db, clock()))) {
        await database.change((db) => endMutes(db, clock()));
      }
    },
  });
}
