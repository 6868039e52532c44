import type { Database as File, SQLQueryBindings, Statement } from "bun:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  DeleteQueryNode,
  type Dialect,
  type Driver,
  InsertQueryNode,
  type QueryResult,
  SqliteQueryCompiler,
  UpdateQueryNode,
} from "kysely";
import { LRUCache } from "lru-cache";
import { OurSqliteAdapter } from "../adapter";
import { QuickSqliteIntrospector } from "../common/introspectors";
import { translateSqliteError } from "./errors";

/** Of each connection. A statement takes about 13 kB. */
const maxStatements = 80;

/** Lets Kysely speak to a file that is open. */
export function sqliteDialect(file: File): Dialect {
  const connection = new SqliteConnection(file);
  return {
    createAdapter: () => new OurSqliteAdapter(),
    createDriver: () => new SqliteDriver(file, connection),
    createIntrospector: (db) => new QuickSqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** One connection that callers take turns with. */
class SqliteDriver implements Driver {
  readonly #file: File;
  readonly #connection: SqliteConnection;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;

  constructor(file: File, connection: SqliteConnection) {
    this.#file = file;
    this.#connection = connection;
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
    // At once for writing: a transaction that begins by reading can be refused when it comes to write.
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
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
  readonly #statements: LRUCache<string, Statement>;

  constructor(file: File) {
    this.#statements = new LRUCache({
      max: maxStatements,
      memoMethod: (sql) => file.prepare(sql),
      dispose: (statement) => statement.finalize(),
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      if (!isWriteWithoutRows(query)) {
        // SAFETY of the cast: Row is what our own typed queries select.
        return { rows: this.#statements.memo(query.sql).all(...bindings(query.parameters)) as Row[] };
      }
      const { changes, lastInsertRowid } = this.#statements.memo(query.sql).run(...bindings(query.parameters));
      return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
    } catch (error) {
      throw translateSqliteError(error);
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  finalize(): void {
    this.#statements.clear();
  }
}

/** The runtime binds large numbers as floating point, which each row of an index is compared with more slowly. */
function asInteger(parameter: unknown): unknown {
  return Number.isSafeInteger(parameter) && Math.abs(Number(parameter)) > 0x7fff_ffff
    ? BigInt(Number(parameter))
    : parameter;
}

/** SAFETY of the cast: this is what our own typed queries bind. */
function bindings(parameters: readonly unknown[]): SQLQueryBindings[] {
  return parameters.map(asInteger) as SQLQueryBindings[];
}

function isWriteWithoutRows({ query }: CompiledQuery): boolean {
  const isWrite = InsertQueryNode.is(query) || UpdateQueryNode.is(query) || DeleteQueryNode.is(query);
  return isWrite && !query.returning;
}
