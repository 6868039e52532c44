import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import type { PoolClient } from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { OurPostgresAdapter } from "../adapter";
import { DatabaseAway, UnusableDatabase } from "../errors";
import { QuickPostgresIntrospector } from "../introspectors";
import { canRunLater } from "../later";
import { isHarmless, translateLostConnection } from "./errors";
import { type Statement, type StatementResult, sendBatch, sendTogether } from "./statement-batch";
import type { StatementNames } from "./statement-names";
import { writtenValues } from "./statement-values";

/** Where connections come from. */
export interface ConnectionSource {
  connect(): Promise<PoolClient>;
  end(): Promise<void>;
}

export interface PostgresTraits {
  hasPartitions: boolean;
  isolation: "read committed" | "serializable";
}

export interface DialectOptions {
  /** Whether the beginning of a transaction, and what may run later, are sent together with the next statement. */
  sendsTogether: boolean;
}

/** Lets Kysely speak to PostgreSQL. */
export function postgresDialect(
  source: ConnectionSource,
  traits: PostgresTraits,
  options: DialectOptions = { sendsTogether: false },
): Dialect {
  return {
    createAdapter: () => new OurPostgresAdapter(traits),
    createDriver: () => new PostgresDriver(source, traits, options),
    createIntrospector: (db) => new QuickPostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  };
}

/** Takes a connection, which has to be released. */
export async function takeConnection(source: Pick<ConnectionSource, "connect">): Promise<PostgresConnection> {
  try {
    return new PostgresConnection(await source.connect());
  } catch (error) {
    // Such as a password that cannot be found any more: the caller handles it alike.
    if (error instanceof UnusableDatabase) throw new DatabaseAway(error.message, { cause: error });
    throw translateLostConnection(error);
  }
}

class PostgresDriver implements Driver {
  readonly #source: ConnectionSource;
  readonly #begin: CompiledQuery;
  readonly #sendsTogether: boolean;

  constructor(source: ConnectionSource, { isolation }: PostgresTraits, { sendsTogether }: DialectOptions) {
    this.#source = source;
    this.#begin = CompiledQuery.raw(`begin isolation level ${isolation}`);
    this.#sendsTogether = sendsTogether;
  }

  async init(): Promise<void> {}

  acquireConnection(): Promise<PostgresConnection> {
    return takeConnection(this.#source);
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: PostgresConnection): Promise<void> {
    if (this.#sendsTogether) connection.beginLater(this.#begin);
    else await connection.executeQuery(this.#begin);
  }

  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {
    await this.#source.end();
  }
}

const commit: Statement = { text: "commit", values: [], isOnce: true };
const unlimited = "statement_timeout = 0";
/** As long as the driver can wait, in milliseconds. */
const patience = { query_timeout: 2_147_483_647 };

/** The function of PostgreSQL that warns when a wait for the standby was cancelled: the commit counts as done all the same. */
const waitForStandby = "SyncRepWaitForLSN";

function unreplicated(): DatabaseAway {
  const cause = new Error("The wait for the synchronous standby was cancelled.");
  return new DatabaseAway("The database has not confirmed the change.", { cause });
}

/** A connection that was taken for one caller. */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #isBroken = false;
  /** Whether the transaction has lifted the server's limit; then ours does not hold either. */
  #hasTime = false;
  /** Whether statements of this transaction may wait for others. */
  #sendsTogether = false;
  /** Those that wait. */
  #waiting: Statement[] = [];
  #hasBegun = true;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  /** Begins a transaction with its first statement. */
  beginLater({ sql }: CompiledQuery): void {
    this.#sendsTogether = true;
    this.#hasBegun = false;
    this.#waiting = [{ text: sql, values: [], isOnce: true }];
  }

  /** Sends what waits, with these after it, and gives what the last one has done. */
  async #sendWaiting<Row extends object>(statements: readonly Statement[]): Promise<StatementResult<Row> | undefined> {
    const all = [...this.#waiting, ...statements];
    this.#waiting = [];
    this.#hasBegun = true;
    return (await sendTogether<Row>(this.#client, all, this.#hasTime ? patience : {})).at(-1);
  }

  /** Sends several statements at once. */
  async sendBatch<Row extends object>(
    statements: readonly Statement[],
    names: StatementNames,
  ): Promise<(readonly Row[])[]> {
    try {
      return await sendBatch(this.#client, statements, names);
    } catch (error) {
      throw this.#fail(error);
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      this.#hasTime ||= query.sql.includes(unlimited);
      if (this.#sendsTogether) {
        const statement = onlyStatement(query);
        if (statement && canRunLater(query)) {
          this.#waiting.push(statement);
          return { rows: [] };
        }
        if (statement && this.#waiting.length > 0) return resultOf(await this.#sendWaiting([statement]));
        if (this.#waiting.length > 0) await this.#sendWaiting([]);
      }
      if (query.sql.startsWith("copy ")) {
        await pipeline(Readable.from([String(query.parameters[0])]), this.#client.query(copyFrom(query.sql)));
        return { rows: [] };
      }
      const asked = { text: query.sql, values: [...query.parameters], ...(this.#hasTime ? patience : {}) };
      const answered = await this.#client.query(asked);
      // Several statements at once give several results, of which the last one is what was asked for.
      const result = Array.isArray(answered) ? answered.at(-1) : answered;
      const affected = ["INSERT", "UPDATE", "DELETE"].includes(result.command)
        ? { numAffectedRows: BigInt(result.rowCount ?? 0) }
        : {};
      return { rows: result.rows, ...affected };
    } catch (error) {
      throw this.#fail(error);
    }
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  async commit(): Promise<void> {
    let isReplicated = true;
    const notice = ({ routine }: { routine?: string | undefined }) => {
      isReplicated &&= routine !== waitForStandby;
    };
    this.#client.on("notice", notice);
    try {
      const ended = this.#sendsTogether
        ? (await this.#sendWaiting([commit]))?.done
        : (await this.#client.query(commit.text)).command;
      // A transaction in which a statement has failed ends like this, without an error.
      if (ended !== "COMMIT") throw new Error("The transaction was rolled back when it was to be committed.");
      if (!isReplicated) throw unreplicated();
    } catch (error) {
      throw this.#fail(error);
    } finally {
      this.#client.removeListener("notice", notice);
    }
  }

  async rollback(): Promise<void> {
    this.#waiting = [];
    if (this.#isBroken || !this.#hasBegun) return;
    try {
      await this.#client.query("rollback");
    } catch {
      // The earlier failure is the one to report; this connection is not used again.
      this.#isBroken = true;
    }
  }

  #fail(error: unknown): unknown {
    this.#isBroken ||= !isHarmless(error);
    return translateLostConnection(error);
  }

  /** Gives the connection back; one that may be in an odd state is closed instead. */
  release(): void {
    this.#client.release(this.#isBroken);
  }
}

/** A query as a statement among others; undefined for one that has to be sent by itself, such as several in one text. */
function onlyStatement({ sql, parameters }: CompiledQuery): Statement | undefined {
  const values = /^copy |;/.test(sql) ? undefined : writtenValues(parameters);
  return values && { text: sql, values, isOnce: true };
}

function resultOf<Row>(result: StatementResult<object> | undefined): QueryResult<Row> {
  const { rows = [], done = "" } = result ?? {};
  const [, affected] = /^(?:INSERT \d+|UPDATE|DELETE) (\d+)$/.exec(done) ?? [];
  // SAFETY of the cast: Row is what our own typed queries select.
  return { rows: rows as Row[], ...(affected === undefined ? {} : { numAffectedRows: BigInt(affected) }) };
}
