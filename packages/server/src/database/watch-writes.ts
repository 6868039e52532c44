import type { Database } from "./database";
import { DiskFull } from "./errors";

/** A database that does not yet say what keeps it from being written to. */
export type UnwatchedDatabase = Omit<Database, "writeObstacle">;

/**
 * Remembers that the disk is full, from a change that failed for it until one succeeds. On a full disk a small change may
 * still find room in a file that has grown before, so there has to be room on the disk as well.
 */
export function watchWrites(database: UnwatchedDatabase, hasRoom: () => boolean): Database {
  let obstacle: string | undefined;
  return {
    ...database,
    async change(write, options) {
      try {
        const result = await database.change(write, options);
        if (obstacle !== undefined && hasRoom()) obstacle = undefined;
        return result;
      } catch (error) {
        if (error instanceof DiskFull) obstacle = error.message;
        throw error;
      }
    },
    writeObstacle: () => obstacle,
  };
}
