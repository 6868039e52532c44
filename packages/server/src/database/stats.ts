import type { WriteFailure } from "./errors";

/** Who takes turns with connections: those of PostgreSQL, or those of SQLite. */
export type PoolName = "primary" | "writer" | "reader" | "long_reader";

/** What a database does is counted there. */
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

/** How connections are used at a moment. */
export interface PoolUse {
  pool: PoolName;
  inUse: number;
  idle: number;
  waiting: number;
}

/** What a database takes on its disk, and how old its last copy is, as far as that can be known. */
export interface StoredStats {
  size: number | undefined;
  wal: number | undefined;
  /** When the last backup was made, in milliseconds since 1970; 0 where there was none. */
  backedUpAt: number | undefined;
}

/** What a database knows of its own use. */
export interface DatabaseStats {
  /** Counts what happens from now on. */
  countWith(meter: DatabaseMeter): void;
  pools(): PoolUse[];
  readStored(): Promise<StoredStats>;
}
