import type { Kysely } from "kysely";
import type { Schema } from "./schema";

/** A database connection that queries are made with, inside a transaction or not. */
export type Queries = Kysely<Schema>;

/** The database as the rest of the server sees it, whichever one it is. */
export interface Database {
  /**
   * Reads several things as of one moment, on a connection that cannot write. The stamp differs from that of an earlier
   * snapshot whenever anything was committed in between.
   */
  snapshot<Result>(read: (db: Queries, stamp: number) => Promise<Result>): Promise<Result>;
  /** Changes several things together or not at all. Waits for other writers without holding up the process. */
  change<Result>(write: (db: Queries) => Promise<Result>): Promise<Result>;
  /**
   * A number that differs from an earlier one whenever anything was committed in between, by any process. It is not
   * comparable with the stamps of snapshots.
   */
  stamp(): number;
  close(): Promise<void>;
}
