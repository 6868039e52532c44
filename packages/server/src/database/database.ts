import type { Kysely } from "kysely";
import type { Schema } from "./schema";
import type { DatabaseStats } from "./stats";

/** A database connection that queries are made with, inside a transaction or not. */
export type Queries = Kysely<Schema>;

/** Identifies a state of the database, or of a part of it: it differs from an earlier stamp after any commit that changed that part. */
export type DataVersion = number | string;

/**
 * The stamps of one moment: of everything, and of each part of the data that something is remembered of. That of a part
 * stays the same while others change.
 */
export interface DataVersions {
  /** Changes with every commit; on PostgreSQL also if a change is undone, or another database of the server changes. */
  any: DataVersion;
  /** Organizational units, and which is below which. */
  units: DataVersion;
  /** People, units, roles, tokens and keys: who may do what. Not when a person was last seen. */
  access: DataVersion;
  /** Version of `access` and who is signed in since when. */
  sessions: DataVersion;
  /** Tasks, and everything of `access`. */
  tasks: DataVersion;
  /** Version of protected entities and everything of `access`. */
  entities: DataVersion;
}

/** The moment that a snapshot shows. */
export interface Moment {
  dataVersions: DataVersions;
}

/** Reads what it needs as of one moment. */
export type Read<Result> = (db: Queries, moment: Moment) => Promise<Result>;

export interface ChangeOptions {
  /**
   * Decides what else may be changed at the same time. Nothing beside a `change`, so that what it looked up before writing still
   * holds. Beside a `report` only other reports: after a collision with one of them it is retried alone. Anything beside
   * `maintenance`, which waits for nobody.
   */
  kind?: "change" | "report" | "maintenance";
  /** True if it may take as long as it needs, such as building an index. Otherwise each statement has a timeout. */
  isLong?: boolean;
}

export interface SnapshotOptions {
  /** True if reading takes many steps: then it is done beside the others, so that none of them waits for it. */
  isLong?: boolean;
}

/** The database as the rest of the server sees it, whichever one it is. */
export interface Database {
  /** Identifies the PostgreSQL server: places in streams mean nothing in a database on another one. Empty for SQLite. */
  identity: string;
  /** Reads several things as of one moment, in a way that cannot write. */
  snapshot<Result>(read: Read<Result>, options?: SnapshotOptions): Promise<Result>;
  /** Maximum number of long snapshots at a time, so that enough is left for all others. */
  longSnapshots: number;
  /**
   * Changes several things together or not at all. Waits for other writers without holding up the process. What is to be
   * done may be retried after a conflict, so it must not have effects outside of the database.
   */
  change<Result>(write: (db: Queries) => Promise<Result>, options?: ChangeOptions): Promise<Result>;
  /** Obstacle that keeps it from being written to although it can be read, such as a full disk; nothing where nothing is known to. */
  writeObstacle(): string | undefined;
  stats: DatabaseStats;
  /** The stamps of this moment, over the commits of all processes. Not to be compared with a snapshot's. */
  dataVersions(): DataVersions | Promise<DataVersions>;
  close(): Promise<void>;
}

/** Says what happens to a database that an older version has made. */
export type OnMigration = (level: "info" | "warn", message: string, detail?: string) => void;

/** Writes a message to the log. A recovery is no warning. */
export type Notify = (level: "info" | "warn", message: string, fields?: { error?: string; detail?: string }) => void;
