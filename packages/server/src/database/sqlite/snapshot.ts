import type { Database as File } from "bun:sqlite";
import { Kysely } from "kysely";
import type { Database, DataVersions } from "../database";
import type { Schema } from "../schema";
import { sqliteDialect } from "./dialect";
import { translateSqliteError } from "./errors";

/** A connection on which snapshots are read, one after the other. */
export interface SqliteReader {
  snapshot: Database["snapshot"];
  /** Number of snapshots that are being read or wait for a connection. */
  pending(): number;
  close(): Promise<void>;
}

/** Makes a reader of a file that is open. All readers give their snapshots stamps that can be compared. Each wait is counted. */
export function createReader(
  file: File,
  currentVersions: () => DataVersions,
  onWaited: (seconds: number) => void,
): SqliteReader {
  const queries = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  const [begin, commit] = [file.query("begin"), file.query("commit")];
  const firstRead = file.query("pragma data_version");
  let last: Promise<unknown> = Promise.resolve();
  let pending = 0;

  /** Begins a snapshot. Where there was a commit at the same moment, its stamp is unknown, and another one is begun. */
  function beginSnapshot(): DataVersions {
    for (;;) {
      const dataVersions = currentVersions();
      begin.run();
      // Only the first read fixes the moment of the snapshot.
      firstRead.get();
      if (currentVersions().any === dataVersions.any) return dataVersions;
      commit.run();
    }
  }

  return {
    pending: () => pending,
    close: () => queries.destroy(),
    snapshot(read) {
      pending += 1;
      const askedAt = performance.now();
      const turn = last.then(async () => {
        onWaited((performance.now() - askedAt) / 1000);
        try {
          const result = await read(queries, { dataVersions: beginSnapshot() });
          commit.run();
          return result;
        } catch (error) {
          endQuietly(file);
          throw translateSqliteError(error);
        } finally {
          pending -= 1;
        }
      });
      last = turn.catch(() => {});
      return turn;
    },
  };
}

/** Ends what failed. Where that fails, too, the first failure is the one to report. */
function endQuietly(file: File): void {
  try {
    if (file.inTransaction) file.run("rollback");
  } catch {
    // The next snapshot finds out whether the database can still be read.
  }
}

/** Gives the idle one of several readers, opening at most so many when they are needed. */
export function createReaderPool(max: number, open: () => SqliteReader) {
  const readers: SqliteReader[] = [];
  const choose = () => {
    const idle = readers.find((reader) => reader.pending() === 0);
    if (idle) return idle;
    if (readers.length < max) {
      const opened = open();
      readers.push(opened);
      return opened;
    }
    return readers.reduce((one, other) => (other.pending() < one.pending() ? other : one));
  };
  const snapshot: Database["snapshot"] = (read) => choose().snapshot(read);
  return {
    snapshot,
    pending: () => readers.map((reader) => reader.pending()),
    close: () => Promise.all(readers.map((reader) => reader.close())),
  };
}
