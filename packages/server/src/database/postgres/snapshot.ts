import {
  CompiledQuery,
  type DatabaseConnection,
  type Driver,
  Kysely,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { OurPostgresAdapter, type PreparedStatement } from "../adapter";
import type { Queries, Read, Stamps } from "../database";
import { DatabaseAway } from "../errors";
import { QuickPostgresIntrospector } from "../introspectors";
import type { Schema } from "../schema";
import { AssumedStamps, RepeatRead } from "./assumed-stamps";
import { type ConnectionSource, type PostgresConnection, type PostgresTraits, takeConnection } from "./dialect";
import { isReadOnly, isUnknownStatement, translateRefusal } from "./errors";
import { noScansColumns } from "./no-scans";
import type { Statement } from "./statement-batch";
import type { StatementNames } from "./statement-names";
import { writtenValues } from "./statement-values";
import { readSeen, type SeenRow, type SeenVersions, seenColumns } from "./versions-column";

/** What a snapshot is read with. */
export interface SnapshotOptions {
  source: Pick<ConnectionSource, "connect">;
  traits: PostgresTraits;
  names: StatementNames;
  /** The stamps that were right a moment ago; undefined where the read has to wait for those of its snapshot. */
  assumed: Stamps | undefined;
  /** What was seen last, on the same server. */
  seen: SeenVersions | undefined;
  stampsOf: (seen: SeenVersions) => Stamps;
  /** Whether a server that can only be read is refused: it may be behind the primary. */
  needsPrimary: boolean;
  /** Whether it stays open after what says that nothing is read after it: something was, when this was read before. */
  staysOpen: boolean;
}

const begin: Statement = { text: "begin isolation level repeatable read, read only", values: [] };
const commit: Statement = { text: "commit", values: [] };
/** How statements are planned: for their values, or once for all. */
type Planning = "force_custom_plan" | "force_generic_plan";
const choosePlanning = (planning: Planning): Statement => ({
  text: "select set_config('plan_cache_mode', $1, true)",
  values: [planning],
});
const isReadOnlyColumn =
  "pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as is_read_only";
const ask = `select ${isReadOnlyColumn}, ${noScansColumns}, set_config('plan_cache_mode', $1, true), ${seenColumns("$2")}`;

/**
 * Reads in one transaction, which begins with the first statement of the read: beginning, asking for the stamps, a prepared
 * statement and the end make one round trip. Throws RepeatRead where another snapshot is needed.
 */
export async function readInOneTrip<Result>(options: SnapshotOptions, read: Read<Result>): Promise<Result> {
  const snapshot = new Snapshot(options);
  try {
    if (!options.assumed) await snapshot.begin();
    const result = await read(snapshot.queries(), { stamp: snapshot.stamps, position: null, isCurrent: true });
    await snapshot.prove();
    // Its end is not waited for: nothing depends on it.
    void snapshot.end();
    return result;
  } catch (error) {
    void snapshot.fail();
    // Here it is the transaction that cannot be written in, not the database.
    throw isReadOnly(error) ? error : translateRefusal(error);
  }
}

class Snapshot implements DatabaseConnection {
  readonly stamps: AssumedStamps;
  readonly #options: SnapshotOptions;
  #connection: PostgresConnection | undefined;
  #begun: Promise<void> | undefined;
  #planning: Planning = "force_custom_plan";
  #isEnded = false;
  #isToRepeat = false;

  constructor(options: SnapshotOptions) {
    this.#options = options;
    this.stamps = new AssumedStamps(options.assumed ?? options.stampsOf({ snapshot: "", versions: {} }));
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
        createAdapter: () => new OurPostgresAdapter(traits, (statement) => this.#runPrepared(statement)),
        createDriver: () => driver,
        createIntrospector: (db) => new QuickPostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
    });
  }

  /** Begins unless it has begun. */
  begin(): Promise<void> {
    return this.#begun ?? this.#note(this.#start("force_custom_plan", [], false));
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    await this.begin();
    const connection = this.#open();
    const planning = this.#plan("force_custom_plan");
    if (planning.length === 0) return connection.executeQuery<Row>(query);
    const [, result] = await Promise.all([this.#send(connection, planning), connection.executeQuery<Row>(query)]);
    return result;
  }

  // biome-ignore lint/correctness/useYield: the interface asks for it; no query here is read piece by piece.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Queries are not streamed.");
  }

  async #runPrepared<Row>({ sql, parameters, hasOnePlan, ...statement }: PreparedStatement): Promise<Row[]> {
    const { names, staysOpen } = this.#options;
    const isLast = statement.isLast && !staysOpen;
    const values = writtenValues(parameters);
    if (!values) throw new Error("A prepared statement takes texts, numbers and lists of them.");
    const statements = [{ text: sql, values }, ...(isLast ? [commit] : [])];
    // Without a name it is planned each time, and then best for its values.
    const planning = hasOnePlan && names.areOn ? "force_generic_plan" : "force_custom_plan";
    if (!this.#begun) {
      const started = this.#start(planning, statements, isLast);
      this.#note(started);
      const [rows = []] = await started;
      return rowsOf(rows);
    }
    await this.#begun;
    const connection = this.#open();
    const rows = await this.#send(connection, [...this.#plan(planning), ...statements]);
    this.#isEnded = isLast;
    return rowsOf(rows.at(isLast ? -2 : -1) ?? []);
  }

  /** What has to be sent first, so that the next statements are planned so. */
  #plan(planning: Planning): Statement[] {
    if (this.#planning === planning) return [];
    this.#planning = planning;
    return [choosePlanning(planning)];
  }

  /** Notes that it begins; a failure is reported where the beginning is waited for. */
  #note(started: Promise<unknown>): Promise<void> {
    this.#begun = started.then(() => {});
    this.#begun.catch(() => {});
    return this.#begun;
  }

  /** Takes a connection, begins on it with these statements, and compares the stamps; gives their rows. */
  async #start(planning: Planning, statements: readonly Statement[], isAll: boolean): Promise<(readonly object[])[]> {
    this.#planning = planning;
    const connection = await takeConnection(this.#options.source);
    this.#connection = connection;
    const asking = { text: ask, values: [planning, this.#options.seen?.snapshot ?? ""] };
    const [, asked, ...rows] = await this.#send(connection, [begin, asking, ...statements]);
    this.#isEnded = isAll;
    this.#confirm(asked?.[0]);
    return rows;
  }

  #confirm(asked: object | undefined): void {
    const { seen, stampsOf, needsPrimary } = this.#options;
    // SAFETY of the cast: these are the columns of the question.
    const row = asked as SeenRow & { is_read_only: boolean };
    if (row.is_read_only && needsPrimary) throw new DatabaseAway("The database can only be read at the moment.");
    if (this.stamps.confirm(stampsOf(readSeen(row, seen)))) return;
    throw this.#repeat();
  }

  #repeat(): RepeatRead {
    this.#isToRepeat = true;
    return new RepeatRead();
  }

  async #send(connection: PostgresConnection, statements: readonly Statement[]): Promise<(readonly object[])[]> {
    const { names } = this.#options;
    try {
      return await connection.sendBatch(statements, names);
    } catch (error) {
      if (!isUnknownStatement(error)) throw error;
      names.turnOff();
      throw this.#repeat();
    }
  }

  #open(): PostgresConnection {
    if (!this.#connection || this.#isEnded) throw this.#repeat();
    return this.#connection;
  }

  /** Makes sure that what was found in caches belongs to one moment, also where nothing else was read. */
  async prove(): Promise<void> {
    if (this.stamps.wereSeen && !this.#begun) await this.begin();
    await this.#begun;
    // Also where the read has caught what was thrown into it.
    if (this.#isToRepeat) throw new RepeatRead();
  }

  async end(): Promise<void> {
    if (!this.#isEnded) await this.#connection?.executeQuery(CompiledQuery.raw("commit")).catch(() => {});
    this.#connection?.release();
  }

  /** Ends it after an error, whichever part of the read that came from. */
  async fail(): Promise<void> {
    await this.#begun?.catch(() => {});
    if (!this.#isEnded) await this.#connection?.rollback();
    this.#connection?.release();
  }
}

/** SAFETY of the cast: Row is what our own typed queries select. */
function rowsOf<Row>(rows: readonly object[]): Row[] {
  return rows as Row[];
}

async function refuseTransaction(): Promise<void> {
  throw new Error("A snapshot is a transaction itself.");
}
