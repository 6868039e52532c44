import { Database as File, SQLiteError } from "bun:sqlite";
import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { Kysely } from "kysely";
import { migrate } from "../common/migrate";
import { refuseUnfinishedMove } from "../common/unfinished-move";
import { type UnwatchedDatabase, watchWrites } from "../common/watch-writes";
import type { Database, Notify, OnMigration } from "../database";
import type { Schema } from "../schema";
import { type SchemaSteps, schemaSteps } from "../schema-steps";
import { noMeter, type PoolName, type PoolUse } from "../stats";
import { buildScatteredIndexes, scatteredIndexNames } from "../tasks/indexes";
import { describeWayBack } from "./backup-before-upgrade";
import { readBackupNote } from "./backup-note";
import { changeWhenFree } from "./change";
import { sqliteDialect } from "./dialect";
import { corrupt, translateSqliteError } from "./errors";
import { guardDurability, readDurability } from "./guard";
import { prepareMigration } from "./prepare";
import { createReader, createReaderPool } from "./snapshot";
import { findDamage } from "./soundness";
import { readDataVersions } from "./versions";

const startBusyTimeoutMs = 10_000;
/** Short: waiting in SQLite holds up the whole process. The longer wait for other writers is in changeWhenFree. */
const maxBlockMs = 100;
/** A reading holds its snapshot while others have their turn between its steps, and others then read on another connection. */
const quickSnapshots = 3;
/** Number of connections for reads that take many steps. Each holds back the log for as long as it reads. */
const longSnapshots = 2;
/** Number of bytes that must be free on a disk that was full before it counts as one that can be written to. */
const roomToWrite = 1_048_576;

export interface SqliteOptions {
  isMoveTarget?: boolean;
  /** True if it is copied before it is migrated. */
  isBackedUp?: boolean;
  /** The steps of the schema; those of this version unless others are given. */
  steps?: SchemaSteps;
  onMigration?: OnMigration;
  notify?: Notify;
}

/** Opens the embedded database, making it at first use. Refuses one that could lose what it acknowledges. */
export async function openSqlite(
  path: string,
  {
    isMoveTarget = false,
    isBackedUp = true,
    steps = schemaSteps,
    onMigration = () => {},
    notify = () => {},
  }: SqliteOptions = {},
): Promise<Database> {
  const writerFile = openFile(path, { create: true, readwrite: true });
  try {
    guardDurability(readDurability(writerFile));
    const damage = findDamage(writerFile);
    if (damage !== undefined) throw corrupt(path, damage);
    const writer = new Kysely<Schema>({ dialect: sqliteDialect(writerFile) });
    if (!isMoveTarget) await refuseUnfinishedMove(writer);
    await migrate(writer, steps, {
      ...describeWayBack(path),
      onPending: (pending) => prepareMigration(writerFile, path, pending, { isBackedUp, onMigration, steps }),
      onMigrated: () => onMigration("info", "The database was migrated."),
    });
    if (!isMoveTarget && isMissingIndexes(writerFile)) await writer.transaction().execute(buildScatteredIndexes);
    // Apart from the readers: inside one of their snapshots the version would stand still.
    const watcherFile = openFile(path, { readonly: true });
    for (const file of [writerFile, watcherFile]) file.run(`pragma busy_timeout = ${maxBlockMs}`);
    const dataVersions = readDataVersions(watcherFile);
    let meter = noMeter;
    const waitedFor = (pool: PoolName) => (seconds: number) => meter.waitedForConnection(pool, seconds);
    const readers = createReaderPool(quickSnapshots, () =>
      createReader(openReader(path), dataVersions, waitedFor("reader")),
    );
    const longReaders = createReaderPool(longSnapshots, () =>
      createReader(openReader(path), dataVersions, waitedFor("long_reader")),
    );
    let changes = 0;
    const snapshot: Database["snapshot"] = (read, { isLong = false } = {}) =>
      isLong ? longReaders.snapshot(read) : readers.snapshot(read);
    const database: UnwatchedDatabase = {
      identity: "",
      snapshot,
      longSnapshots,
      async change(write) {
        changes += 1;
        try {
          return await changeWhenFree(writer, write, (seconds) => meter.waitedForTurn(seconds));
        } finally {
          changes -= 1;
        }
      },
      stats: {
        countWith: (given) => {
          meter = given;
        },
        pools: () => [
          useOf("writer", [changes], 1),
          useOf("reader", readers.pending(), quickSnapshots),
          useOf("long_reader", longReaders.pending(), longSnapshots),
        ],
        readStored: async () => ({
          size: statSync(path).size,
          wal: sizeOf(`${path}-wal`),
          backedUpAt: readBackupNote(path),
        }),
      },
      dataVersions,
      close: async () => {
        watcherFile.close();
        await readers.close();
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

/** Use of connections, given the number of uses and waits of each. */
function useOf(pool: PoolName, pending: readonly number[], max: number): PoolUse {
  const inUse = pending.filter((count) => count > 0).length;
  return { pool, inUse, idle: max - inUse, waiting: pending.reduce((sum, count) => sum + Math.max(0, count - 1), 0) };
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function hasRoomBeside(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize >= roomToWrite;
}

/** Opens the file once more, with little memory: a list passes over tasks and hardly comes back to one. */
function openReader(path: string): File {
  const file = openFile(path, { readonly: true });
  file.run(`pragma busy_timeout = ${maxBlockMs}`);
  file.run("pragma cache_size = -2048");
  // One statement sorts a few thousand rows at the most: with so little memory, SQLite would write them to a file to sort them.
  file.run("pragma temp_store = memory");
  return file;
}

function isMissingIndexes(file: File): boolean {
  const found = file.query<{ name: string }, []>("select name from sqlite_schema where type = 'index'").all();
  return scatteredIndexNames.some((name) => !found.some((index) => index.name === name));
}

function openFile(path: string, options: { create?: boolean; readwrite?: boolean; readonly?: boolean }): File {
  try {
    const file = new File(path, options);
    // No request is served yet, and other processes may be making the same tables.
    file.run(`pragma busy_timeout = ${startBusyTimeoutMs}`);
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
