import type { Database as File } from "bun:sqlite";
import { UnusableDatabase } from "../errors";

const oldestSafeVersion = "3.51.3";

/** Facts that SQLite states about itself and about the settings that decide whether an acknowledged write survives a power cut. */
export interface Durability {
  version: string;
  journalMode: string;
  synchronous: number;
  foreignKeys: number;
}

/** Refuses to run on an SQLite that may lose or corrupt what was acknowledged. */
export function guardDurability({ version, journalMode, synchronous, foreignKeys }: Durability): void {
  if (Bun.semver.order(version, oldestSafeVersion) < 0) {
    throw new UnusableDatabase(
      `SQLite ${version} can corrupt a database that two processes write to. Use SQLite ${oldestSafeVersion} or newer.`,
    );
  }
  if (journalMode !== "wal") {
    throw new UnusableDatabase(
      `SQLite cannot keep a write-ahead log here (journal_mode is ${journalMode}). Put data_dir on a local disk.`,
    );
  }
  if (synchronous !== 2) {
    throw new UnusableDatabase(
      `SQLite runs with synchronous=${synchronous}, which loses writes. It has to be FULL (2).`,
    );
  }
  if (foreignKeys !== 1) {
    throw new UnusableDatabase("SQLite does not enforce foreign keys here. Use a build that does.");
  }
}

export function readDurability(file: File): Durability {
  const pragma = (name: string) => file.query<Record<string, string | number>, []>(`pragma ${name}`).get()?.[name];
  return {
    version: String(file.query<{ version: string }, []>("select sqlite_version() as version").get()?.version),
    journalMode: String(pragma("journal_mode")),
    synchronous: Number(pragma("synchronous")),
    foreignKeys: Number(pragma("foreign_keys")),
  };
}
