import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { OurPostgresAdapter } from "../adapter";
import type { Queries, Read, Stamps } from "../database";
import { DatabaseAway } from "../errors";
import { QuickPostgresIntrospector } from "../introspectors";
import type { Schema } from "../schema";
import { type ConnectionSource, type PostgresConnection, type PostgresTraits, takeConnection } from "./dialect";
import { isReadOnly, isUnknownStatement, translateRefusal } from "./errors";
import { noScansColumns } from "./no-scans";
import type { Statement } from "./statement-batch";
import type { StatementNames } from "./statement-names";
import { readSeen, type SeenRow, type SeenVersions, seenColumns } from "./versions-column";

/** Thrown into a read that cannot be finished in its snapshot, and has to be repeated in another one. */
export class RepeatRead extends Error {
  override readonly name = "RepeatRead";
}

/** What a snapshot is read with. */
export interface SnapshotOptions {
  source: Pick<ConnectionSource, "connect">;
  traits: PostgresTraits;
  names: StatementNames;
  /** What was seen last, on the same server. */
  seen: SeenVersions | undefined;
  stampsOf: (seen: SeenVersions) => Stamps;
  /** Whether a server that can only be read is refused: it may be behind the primary. */
  needsPrimary: boolean;
}

const begin: Statement = { text: "begin isolation level repeatable read, read only", values: [] };
const isReadOnlyColumn =
  "pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only";
const ask = `select ${isReadOnlyColumn}, ${noScansColumns}, ${seenColumns("$1")}`;

/** Reads in one transaction. Beginning it and asking for its stamps are one round trip. */
export async function readInSnapshot<Result>(options: SnapshotOptions, read: Read<Result>): Promise<Result> {
  let snapshot: Snapshot | undefined;
  try {
    snapshot = new Snapshot(await takeConnection(options.source), options);
    const stamp = await snapshot.begin();
    const result = await read(snapshot.queries(), { stamp, position: null, isCurrent: true });
    // Its end is not waited for: nothing depends on it.
    void snapshot.end();
    return result;
  } catch (error) {
    void snapshot?.fail();
    // Here it is the transaction that cannot be written in, not the database.
    throw isReadOnly(error) ? error : translateRefusal(error);
  }
}

class Snapshot implements DatabaseConnection {
  readonly #connection: PostgresConnection;
  readonly #options: SnapshotOptions;

  constructor(connection: PostgresConnection, options: SnapshotOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** What the read asks with: Kysely on this connection alone. */
  queries(): Queries {
    const { traits } = this.#options;
    const driver: Driver = {
      init: async () => {},
      acquireConnection: async () => this,
      beginTransaction: refuseTransaction,
      commitTransaction: refuseTransaction,
      rollbackTransaction: refuseTransaction,
      releaseConnection: async () => {},
      destroy: async () => {},
    };
    return new Kysely<Schema>({
      dialect: {
        createAdapter: () => new OurPostgresAdapter(traits),
        createDriver: () => driver,
        createIntrospector: (db) => new QuickPostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** Begins it, and gives its stamps. */
  async begin(): Promise<Stamps> {
    const { seen, stampsOf, needsPrimary } = this.#options;
    const asking = { text: ask, values: [seen?.snapshot ?? ""] };
    const [, asked] = await this.#send([begin, asking]);
    // SAFETY of the cast: these are the columns of the question.
    const row = asked?.[0] as SeenRow & { is_read_only: boolean };
    if (row.is_read_only && needsPrimary) throw new DatabaseAway("The database can only be read at the moment.");
    return stampsOf(readSeen(row, seen));
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>(query);
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  async #send(statements: readonly Statement[]): Promise<(readonly object[])[]> {
    const { names } = this.#options;
    try {
      return await this.#connection.sendBatch(statements, names);
    } catch (error) {
      if (!isUnknownStatement(error)) throw error;
      names.turnOff();
      throw new RepeatRead();
    }
  }

  async end(): Promise<void> {
    await this.#connection.executeQuery(CompiledQuery.raw("commit")).catch(() => {});
    this.#connection.release();
  }

  /** Ends it after an error, whichever part of the read that came from. */
  async fail(): Promise<void> {
    await this.#connection.rollback();
    this.#connection.release();
  }
}

async function refuseTransaction(): Promise<void> {
  throw new Error("A snapshot is a transaction itself.");
}
