import type { Database, Notify } from "../database";
import { DiskFull, writeFailureOf } from "../errors";
import { noMeter } from "../stats";

/** A database that does not yet say what keeps it from being written to. */
export type UnwatchedDatabase = Omit<Database, "writeObstacle">;

/**
 * Remembers that the disk is full, from a change that failed for it until one succeeds. On a full disk a small change may
 * still find room in a file that has grown before, so there has to be room on the disk as well. Every failure is counted. Both
 * ends are news.
 */
export function watchWrites(database: UnwatchedDatabase, hasRoom: () => boolean, notify: Notify = () => {}): Database {
  let obstacle: string | undefined;
  let meter = noMeter;
  return {
    ...database,
    stats: {
      ...database.stats,
      countWith(given) {
        meter = given;
        database.stats.countWith(given);
      },
    },
    async change(write, options) {
      try {
        const result = await database.change(write, options);
        if (obstacle !== undefined && hasRoom()) {
          obstacle = undefined;
          notify("info", "There is room on the disk of the database: the service is ready again.");
        }
        return result;
      } catch (error) {
        if (error instanceof DiskFull) {
          if (obstacle === undefined) notify("warn", "The service is not ready until there is room on the disk.");
          obstacle = error.message;
        }
        const failure = writeFailureOf(error);
        if (failure !== undefined) meter.failedToWrite(failure);
        throw error;
      }
    },
    writeObstacle: () => obstacle,
  };
}
