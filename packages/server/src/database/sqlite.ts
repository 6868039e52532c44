import { Database as File, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type Driver,
  InsertQueryNode,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  UpdateQueryNode,
} from "kysely";
import { sqliteColumns } from "./columns";
import type { Database, Queries } from "./database";
import { DatabaseAway, DatabaseBroken, UnusableDatabase } from "./errors";
import { migrate } from "./migrate";
import type { Schema } from "./schema";
import { buildScatteredIndexes, scatteredIndexNames } from "./task-indexes";

const oldestSafeVersion = "3.51.3";
const statementsKept = 200;
const longestWaitForWriters = 5_000;

/** Opens the embedded database, making it at first use. Refuses one that could lose what it acknowledges. */
export async function openSqlite(path: string): Promise<Database> {
  const writerFile = openFile(path, { create: true, readwrite: true });
  try {
    guardDurability(readDurability(writerFile));
    guardSoundness(writerFile, path);
    const writer = new Kysely<Schema>({ dialect: sqliteDialect(writerFile, "begin immediate") });
    await migrate(writer, sqliteColumns);
    if (isMissingIndexes(writerFile)) await writer.transaction().execute(buildScatteredIndexes);
    const readerFile = openFile(path, { readonly: true });
    const reader = new Kysely<Schema>({ dialect: sqliteDialect(readerFile, "begin") });
    // Apart from the reader: inside one of its snapshots the version would stand still.
    const watcherFile = openFile(path, { readonly: true });
    const readerVersion = dataVersion(readerFile);
    const watcherVersion = dataVersion(watcherFile);
    return {
      // Asking for the version is the first read, which is what fixes the moment of the snapshot.
      snapshot: (read) => reader.transaction().execute((db) => read(db, readerVersion())),
      change: (write) => changeWhenFree(writer, write),
      stamp: watcherVersion,
      close: async () => {
        watcherFile.close();
        await reader.destroy();
        await writer.destroy();
      },
    };
  } catch (error) {
    writerFile.close();
    throw translate(error);
  }
}

/** The number that SQLite changes for a connection whenever another one has committed. */
function dataVersion(file: File): () => number {
  const statement = file.query<{ data_version: number }, []>("pragma data_version");
  return () => statement.get()?.data_version ?? 0;
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

/** The small tables are checked whole, the big ones at their ends: a start must not take longer the more tasks there are. */
function guardSoundness(file: File, path: string): void {
  const tables = file.query<{ name: string }, []>("select name from sqlite_schema where type = 'table'").all();
  for (const { name } of tables) {
    const isBig = ["tasks", "task_days", "entities"].includes(name);
    const found = isBig
      ? checkEnds(file, name)
      : file.query<{ quick_check: string }, []>(`pragma quick_check('${name}')`).get()?.quick_check;
    if (found !== "ok") throw corrupt(path, String(found));
  }
}

function checkEnds(file: File, table: string): string {
  try {
    for (const direction of ["asc", "desc"])
      file.query(`select * from ${table} order by rowid ${direction} limit 1`).get();
    return "ok";
  } catch (error) {
    if (error instanceof SQLiteError && error.code?.startsWith("SQLITE_CORRUPT")) return error.message;
    throw error;
  }
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
    // Short: waiting here would hold up the whole process. The longer wait for other writers is in changeWhenFree.
    file.run("pragma busy_timeout = 100");
    // Holds about twenty tasks, so that a page of a list is read in few pieces. It can only be chosen for a new file.
    file.run("pragma page_size = 16384");
    if (!options.readonly) file.run("pragma journal_mode = wal");
    file.run("pragma synchronous = full");
    file.run("pragma foreign_keys = on");
    file.run("pragma journal_size_limit = 67108864");
    // In KiB. A big import fills the writer's; answering requests hardly touches it.
    file.run(`pragma cache_size = ${options.readonly ? -16_384 : -65_536}`);
    return file;
  } catch (error) {
    if (error instanceof SQLiteError && (error.code === "SQLITE_NOTADB" || error.code === "SQLITE_CORRUPT")) {
      throw corrupt(path, error.message);
    }
    throw translate(error);
  }
}

async function changeWhenFree<Result>(writer: Queries, write: (db: Queries) => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + longestWaitForWriters;
  for (let pause = 2; ; pause = Math.min(pause * 2, 100)) {
    let hasBegun = false;
    try {
      return await writer.transaction().execute((db) => {
        hasBegun = true;
        return write(db);
      });
    } catch (error) {
      if (hasBegun || !(error instanceof DatabaseAway) || performance.now() > deadline) throw error;
      await Bun.sleep(pause);
    }
  }
}

function translate(error: unknown): unknown {
  if (!(error instanceof SQLiteError)) return error;
  const code = error.code ?? "";
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") {
    return new DatabaseAway("Another process is writing to the database.", { cause: error });
  }
  if (code === "SQLITE_FULL") return new DatabaseAway("The disk is full.", { cause: error });
  if (code.startsWith("SQLITE_IOERR") || code.startsWith("SQLITE_CORRUPT")) {
    return new DatabaseBroken(`The database failed: ${error.message}.`, { cause: error });
  }
  return error;
}

function sqliteDialect(file: File, begin: string): Dialect {
  return {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => new SqliteDriver(file, begin),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** SQLite can change tables inside a transaction, which makes a migration all or nothing. */
class TransactionalSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection that callers take turns with. */
class SqliteDriver implements Driver {
  readonly #file: File;
  readonly #begin: string;
  readonly #connection: SqliteConnection;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(file: File, begin: string) {
    this.#file = file;
    this.#begin = begin;
    this.#connection = new SqliteConnection(file);
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#isTaken = false;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw(this.#begin));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#file.inTransaction) await connection.executeQuery(CompiledQuery.raw("rollback"));
  }

  async destroy(): Promise<void> {
    this.#connection.finalize();
    this.#file.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #file: File;
  readonly #statements = new Map<string, Statement>();

  constructor(file: File) {
    this.#file = file;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const statement = this.#prepare(query.sql);
      // SAFETY of the cast: Kysely passes on what our own typed queries bind, and Row is what they select.
      const parameters = query.parameters as SQLQueryBindings[];
      if (isWriteWithoutRows(query)) {
        const { changes, lastInsertRowid } = statement.run(...parameters);
        return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
      }
      return { rows: statement.all(...parameters) as Row[] };
    } catch (error) {
      throw translate(error);
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  finalize(): void {
    for (const statement of this.#statements.values()) statement.finalize();
    this.#statements.clear();
  }

  /** Prepared statements, the least recently used ones dropped. */
  #prepare(sql: string): Statement {
    const known = this.#statements.get(sql);
    if (known) {
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#file.prepare(sql);
    this.#statements.set(sql, statement);
    const [oldest] = this.#statements;
    if (oldest && this.#statements.size > statementsKept) {
      oldest[1].finalize();
      this.#statements.delete(oldest[0]);
    }
    return statement;
  }
}

function isWriteWithoutRows({ query }: CompiledQuery): boolean {
  const isWrite = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
  return isWrite && !query.returning;
}
