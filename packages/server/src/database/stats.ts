import type { WriteFailure } from "./errors";

/** Who takes turns with connections: those of PostgreSQL, or those of SQLite. */
export type PoolName = "primary" | "writer" | "reader" | "long_reader";

/** Counter of what a database does. */
export interface DatabaseMeter {
  /** Called for each connection that was waited for, however shortly. */
  waitedForConnection(pool: PoolName, seconds: number): void;
  /** Called for each change that waited for its turn, however shortly. */
  waitedForTurn(seconds: number): void;
  /** Called for each change that was not taken. */
  failedToWrite(failure: WriteFailure): void;
}

/** Counts nothing. */
export const noMeter: DatabaseMeter = {
  waitedForConnection() {},
  waitedForTurn() {},
  failedToWrite() {},
};

/** Use of connections at a moment. */
export interface PoolUse {
  pool: PoolName;
  inUse: number;
  idle: number;
  waiting: number;
}

/** Size of a database on its disk, and the age of its last copy, if known. */
export interface StoredStats {
  size: number | undefined;
  wal: number | undefined;
  /** When the last backup was made, in milliseconds since 1970; 0 where there was none. */
  backedUpAt: number | undefined;
}

/** Statistics of a database. */
export interface DatabaseStats {
  /** Counts what happens from now on. */
  countWith(meter: DatabaseMeter): void;
  pools(): PoolUse[];
  readStored(): Promise<StoredStats>;
}
