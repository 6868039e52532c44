import { Database as File, SQLiteError } from "bun:sqlite";
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { sqliteColumns } from "../columns";
import type { Database, Notify, OnMigration, Queries, Stamps } from "../database";
import { type Domain, stampsOf, versionsQuestion } from "../domains";
import { DatabaseAway, DatabaseBroken, UnusableDatabase } from "../errors";
import { noMeter, type PoolName, type PoolUse } from "../figures";
import { isOutOfDate, migrate, type PendingMigration } from "../migrate";
import type { Schema } from "../schema";
import { buildScatteredIndexes, scatteredIndexNames } from "../tasks/indexes";
import { refuseUnfinishedMove } from "../unfinished-move";
import { type UnwatchedDatabase, watchWrites } from "../watch-writes";
import { backUpBeforeUpgrade, describeWayBack, upgradeBackupPath } from "./backup-before-upgrade";
import { readBackupNote } from "./backup-note";
import { sqliteDialect, translateSqliteError } from "./dialect";
import { createReader, createReaderPool } from "./reader";
import { findDamage } from "./soundness";

const oldestSafeVersion = "3.51.3";
const longestWaitForWriters = 5_000;
const longestWaitAtStart = 10_000;
/** Short: waiting in SQLite holds up the whole process. The longer wait for other writers is in changeWhenFree. */
const longestBlock = 100;
/** What takes many steps is read on connections of its own. Each holds back the log for as long as it reads. */
const longSnapshots = 2;
/** How many bytes have to be free on a disk that was full before it counts as one that can be written to. */
const roomToWrite = 1_048_576;

export interface SqliteOptions {
  isMoveTarget?: boolean;
  /** Whether it is copied before it is migrated. */
  isBackedUp?: boolean;
  onMigration?: OnMigration;
  notify?: Notify;
}

/** Opens the embedded database, making it at first use. Refuses one that could lose what it acknowledges. */
export async function openSqlite(
  path: string,
  { isMoveTarget = false, isBackedUp = true, onMigration = () => {}, notify = () => {} }: SqliteOptions = {},
): Promise<Database> {
  const writerFile = openFile(path, { create: true, readwrite: true });
  try {
    guardDurability(readDurability(writerFile));
    const damage = findDamage(writerFile);
    if (damage !== undefined) throw corrupt(path, damage);
    const writer = new Kysely<Schema>({ dialect: sqliteDialect(writerFile) });
    if (!isMoveTarget) await refuseUnfinishedMove(writer);
    await migrate(writer, sqliteColumns, {
      ...describeWayBack(path),
      onPending: (pending) => prepareMigration(writerFile, path, pending, { isBackedUp, onMigration }),
      onMigrated: () => onMigration("info", "The database was migrated."),
    });
    if (!isMoveTarget && isMissingIndexes(writerFile)) await writer.transaction().execute(buildScatteredIndexes);
    const readerFile = openFile(path, { readonly: true });
    // Apart from the readers: inside one of their snapshots the version would stand still.
    const watcherFile = openFile(path, { readonly: true });
    for (const file of [writerFile, readerFile, watcherFile]) file.run(`pragma busy_timeout = ${longestBlock}`);
    const stamp = askStamps(watcherFile);
    let meter = noMeter;
    const waitedFor = (pool: PoolName) => (seconds: number) => meter.waitedForConnection(pool, seconds);
    const reader = createReader(readerFile, stamp, waitedFor("reader"));
    const longReaders = createReaderPool(longSnapshots, () =>
      createReader(openLongReader(path), stamp, waitedFor("long_reader")),
    );
    let changes = 0;
    const snapshot: Database["snapshot"] = (read, { isLong = false } = {}) =>
      isLong ? longReaders.snapshot(read) : reader.snapshot(read);
    const database: UnwatchedDatabase = {
      snapshot,
      snapshotNearby: (_position, read, options) => snapshot(read, options),
      longSnapshots,
      async change(write) {
        changes += 1;
        try {
          return await changeWhenFree(writer, write, (seconds) => meter.waitedForTurn(seconds));
        } finally {
          changes -= 1;
        }
      },
      figures: {
        countWith: (given) => {
          meter = given;
        },
        pools: () => [
          useOf("writer", [changes], 1),
          useOf("reader", [reader.pending()], 1),
          useOf("long_reader", longReaders.pending(), longSnapshots),
        ],
        replicaLag: () => undefined,
        readStored: async () => ({
          size: statSync(path).size,
          wal: sizeOf(`${path}-wal`),
          backedUpAt: readBackupNote(path),
        }),
      },
      stamp,
      close: async () => {
        watcherFile.close();
        await reader.close();
        await longReaders.close();
        await writer.destroy();
      },
    };
    return watchWrites(database, () => hasRoomBeside(path), notify);
  } catch (error) {
    writerFile.close();
    throw translateSqliteError(error);
  }
}

/** Copies the database as it is before a migration, and says so. */
async function prepareMigration(
  file: File,
  path: string,
  { from, to }: PendingMigration,
  { isBackedUp, onMigration }: Required<Pick<SqliteOptions, "isBackedUp" | "onMigration">>,
): Promise<void> {
  const steps = `from ${from} to ${to}`;
  const command = `holdfast database backup --database_url sqlite:${path} <file>`;
  if (!isBackedUp) {
    const detail = `${steps}; no copy is made, because upgrade_backup is false. Before an upgrade, run: ${command}`;
    onMigration("info", "The database is of an older version, so it is migrated.", detail);
    return;
  }
  onMigration(
    "info",
    "The database is of an older version, so it is copied and then migrated.",
    `${steps}; the copy is ${upgradeBackupPath(path)}`,
  );
  const { size } = file
    .query<{ size: number }, []>("select page_count * page_size as size from pragma_page_count, pragma_page_size")
    .get() ?? { size: 0 };
  const problem = await backUpBeforeUpgrade({
    source: path,
    size,
    isOfBefore: (copy) => inspectSqlite(copy, isOutOfDate),
  });
  if (problem === undefined) return;
  const detail = `${problem}. Before the next upgrade, make room, or run: ${command}`;
  onMigration("warn", "The database was not copied before its migration.", detail);
}

/** How connections are used, of which each has so many who use it or wait for it. */
function useOf(pool: PoolName, pending: readonly number[], most: number): PoolUse {
  const inUse = pending.filter((count) => count > 0).length;
  return { pool, inUse, idle: most - inUse, waiting: pending.reduce((sum, count) => sum + Math.max(0, count - 1), 0) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function hasRoomBeside(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= roomToWrite;
}

/** Opens the file once more, with little memory: a long reading passes over the tasks and hardly comes back to one. */
function openLongReader(path: string): File {
  const file = openFile(path, { readonly: true });
  file.run(`pragma busy_timeout = ${longestBlock}`);
  file.run("pragma cache_size = -2048");
  return file;
}

/** Looks into a file that is there, whatever it holds, and leaves it as it is. */
export async function inspectSqlite<Result>(path: string, look: (db: Queries) => Promise<Result>): Promise<Result> {
  // As if to write: the last one who can only read leaves a log lying beside the file.
  const file = new File(path, { readwrite: true });
  const db = new Kysely<Schema>({ dialect: sqliteDialect(file) });
  try {
    file.run("pragma query_only = on");
    return await look(db);
  } catch (error) {
    if (error instanceof DatabaseBroken && error.cause instanceof Error) throw corrupt(path, error.cause.message);
    throw error;
  } finally {
    await db.destroy();
  }
}

/**
 * Asks for the number that SQLite changes for a connection whenever another one has committed, and where it has changed, for
 * the versions of the domains. These may be newer than the number; then it has changed again by the next time.
 */
function askStamps(file: File): () => Stamps {
  const dataVersion = file.query<{ data_version: number }, []>("pragma data_version");
  const versions = file.query<{ domain: Domain; version: number }, []>(versionsQuestion);
  let last: Stamps | undefined;
  return () => {
    try {
      const version = dataVersion.get()?.data_version ?? 0;
      if (last?.any !== version) {
        last = stampsOf(version, Object.fromEntries(versions.all().map((one) => [one.domain, one.version])));
      }
      return last;
    } catch (error) {
      throw translateSqliteError(error);
    }
  };
}

/** What SQLite says of itself and of the settings that decide whether an acknowledged write survives a power cut. */
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

function readDurability(file: File): Durability {
  const pragma = (name: string) => file.query<Record<string, string | number>, []>(`pragma ${name}`).get()?.[name];
  return {
    version: String(file.query<{ version: string }, []>("select sqlite_version() as version").get()?.version),
    journalMode: String(pragma("journal_mode")),
    synchronous: Number(pragma("synchronous")),
    foreignKeys: Number(pragma("foreign_keys")),
  };
}

function isMissingIndexes(file: File): boolean {
  const found = file.query<{ name: string }, []>("select name from sqlite_schema where type = 'index'").all();
  return scatteredIndexNames.some((name) => !found.some((index) => index.name === name));
}

function corrupt(path: string, detail: string): UnusableDatabase {
  return new UnusableDatabase(`The database ${path} is damaged (${detail}). Restore it from a backup.`);
}

function openFile(path: string, options: { create?: boolean; readwrite?: boolean; readonly?: boolean }): File {
  try {
    const file = new File(path, options);
    // No request is served yet, and other processes may be making the same tables.
    file.run(`pragma busy_timeout = ${longestWaitAtStart}`);
    if (!options.readonly) file.run("pragma journal_mode = wal");
    file.run("pragma synchronous = full");
    file.run("pragma foreign_keys = on");
    file.run("pragma journal_size_limit = 67108864");
    // In pages, 16 MiB of 4 KiB each. Pages that many commits change, those of counts, are copied to the file less often.
    file.run("pragma wal_autocheckpoint = 4000");
    // In KiB. It stays full once it was. Reports touch the newest pages, and take as long as with more; pages that are read from
    // anywhere miss it whatever its size, and the system keeps them, too.
    file.run("pragma cache_size = -4096");
    return file;
  } catch (error) {
    if (error instanceof SQLiteError && (error.code === "SQLITE_NOTADB" || error.code === "SQLITE_CORRUPT")) {
      throw corrupt(path, error.message);
    }
    throw translateSqliteError(error);
  }
}

async function changeWhenFree<Result>(
  writer: Queries,
  write: (db: Queries) => Promise<Result>,
  onWaited: (seconds: number) => void,
): Promise<Result> {
  const askedAt = performance.now();
  const deadline = askedAt + longestWaitForWriters;
  const endWait = () => onWaited((performance.now() - askedAt) / 1000);
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    let hasBegun = false;
    try {
      return await writer.transaction().execute((db) => {
        hasBegun = true;
        endWait();
        return write(db);
      });
    } catch (error) {
      if (hasBegun) throw error;
      if (!(error instanceof DatabaseAway) || performance.now() > deadline) {
        endWait();
        throw error;
      }
      await Bun.sleep(pause);
    }
  }
}
