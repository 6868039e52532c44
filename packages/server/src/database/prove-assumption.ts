import type { Assumption, Database, Read } from "./database";

/** Thrown into a read that was begun with stamps which do not hold any more. */
export class Outdated extends Error {
  override readonly name = "Outdated";
}

/** A database whose snapshots prove an assumption that was made before them. */
export interface ProvingDatabase extends Database {
  isProven(): boolean;
}

/**
 * Compares the stamps of each snapshot with those that were assumed, in the trip that reads from it. Where they differ, nothing is
 * read and Outdated is thrown.
 */
export function proveAssumption(database: Database, assumed: Assumption): ProvingDatabase {
  let isProven = false;
  const proving =
    <Result>(read: Read<Result>): Read<Result> =>
    async (db, moment) => {
      if (!assumed.areRight(moment.stamp)) throw new Outdated();
      return read(db, moment);
    };
  const noteProof = async <Result>(result: Promise<Result>): Promise<Result> => {
    const value = await result;
    isProven = true;
    return value;
  };
  return {
    ...database,
    isProven: () => isProven,
    snapshot: (read, options) => noteProof(database.snapshot(proving(read), options)),
    snapshotNearby: (position, read, options) => noteProof(database.snapshotNearby(position, proving(read), options)),
  };
}
