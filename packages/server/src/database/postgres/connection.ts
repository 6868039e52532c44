import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type { PoolClient } from "pg";
import { DatabaseUnavailable, UnusableDatabase } from "../errors";
import { isHarmless, translateLostConnection } from "./errors";

/** Gives a connection of a pool. */
export type Connect = () => Promise<PoolClient>;

/** As long as the driver can wait, in milliseconds. */
const maxQueryTimeoutMs = 2_147_483_647;
/** The function of PostgreSQL that warns if a wait for the standby was cancelled: the commit counts as done all the same. */
const waitForStandby = "SyncRepWaitForLSN";

/** Takes a connection, which has to be released. */
export async function takeConnection(connect: Connect): Promise<PostgresConnection> {
  try {
    return new PostgresConnection(await connect());
  } catch (error) {
    // Such as a password that cannot be found any more: the caller handles it alike.
    if (error instanceof UnusableDatabase) throw new DatabaseUnavailable(error.message, { cause: error });
    throw translateLostConnection(error);
  }
}

/**
 * A connection that was taken for one caller. The driver sends statements at once and in their order (`pipeline`), so those that
 * do not need the result of one another are sent without waiting: `await Promise.all([…])`.
 */
export class PostgresConnection implements DatabaseConnection {
  readonly #client: PoolClient;
  #isBroken = false;
  #isReleased = false;
  #hasTimeout = true;

  constructor(client: PoolClient) {
    this.#client = client;
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    // A statement that nobody has waited for would end up in somebody else's transaction.
    if (this.#isReleased) throw new Error("The transaction of this statement has ended.");
    const { command, rowCount, rows } = await this.#send(sql, parameters);
    const isChange = ["INSERT", "UPDATE", "DELETE"].includes(command);
    return isChange ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  async begin(mode: "read committed" | "repeatable read, read only" = "read committed"): Promise<void> {
    await this.#send(`begin isolation level ${mode}`);
  }

  /** Lets the statements of this transaction take as long as they need. */
  async liftTimeout(): Promise<void> {
    this.#hasTimeout = false;
    await this.#send("set local statement_timeout = 0");
  }

  async commit(): Promise<void> {
    let isReplicated = true;
    const notice = ({ routine }: { routine?: string | undefined }) => {
      isReplicated &&= routine !== waitForStandby;
    };
    this.#client.on("notice", notice);
    try {
      const { command } = await this.#send("commit");
      // A transaction in which a statement has failed ends like this, without an error.
      if (command !== "COMMIT") throw new Error("The transaction was rolled back when it was to be committed.");
      if (!isReplicated) throw unreplicated();
    } catch (error) {
      this.#isBroken ||= !isHarmless(error);
      throw error;
    } finally {
      this.#client.removeListener("notice", notice);
    }
  }

  async rollback(): Promise<void> {
    if (this.#isBroken) return;
    try {
      await this.#send("rollback");
    } catch {
      // The earlier failure is the one to report; this connection is not used again.
      this.#isBroken = true;
    }
  }

  /** Gives the connection back; one that may be in an odd state is closed instead. */
  release(): void {
    this.#isReleased = true;
    this.#client.release(this.#isBroken);
  }

  async #send(text: string, parameters: readonly unknown[] = []) {
    try {
      const answered = await this.#client.query({
        text,
        values: [...parameters],
        ...(this.#hasTimeout ? {} : { query_timeout: maxQueryTimeoutMs }),
      });
      // Several statements at once give several results, of which the last one is what was asked for.
      return Array.isArray(answered) ? answered.at(-1) : answered;
    } catch (error) {
      this.#isBroken ||= !isHarmless(error);
      throw translateLostConnection(error);
    }
  }
}

function unreplicated(): DatabaseUnavailable {
  const cause = new Error("The wait for the synchronous standby was cancelled.");
  return new DatabaseUnavailable("The database has not confirmed the change.", { cause });
}
