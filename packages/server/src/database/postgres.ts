import { CompiledQuery, Kysely, sql } from "kysely";
import type { Pool } from "pg";
import { distributedColumns, postgresColumns } from "./columns";
import type { Database, Moment, Queries, Read } from "./database";
import { DatabaseAway } from "./errors";
import { migrate } from "./migrate";
import { type ConnectionSource, type PostgresTraits, postgresDialect } from "./postgres-dialect";
import { isCollision, isReadOnly, translatePostgresError } from "./postgres-errors";
import { guardPostgres, readPostgresFacts } from "./postgres-guard";
import { startPulse } from "./postgres-pulse";
import { watchReplica } from "./postgres-replica";
import { createRoutes, type Route } from "./postgres-routes";
import type { Schema } from "./schema";
import { buildScatteredIndexes } from "./task-indexes";

/** What is to be known about a PostgreSQL database and how it is used. */
export interface PostgresOptions {
  url: string;
  /** `auto` looks at what the server calls itself. */
  kind: "auto" | "postgresql" | "distributed";
  connections: number;
  /** How long a statement may take, in milliseconds; 0 is for ever. */
  statementTimeout: number;
  /** Whether somebody waits for answers: then a silent database is away at once. Commands have time. */
  isServing: boolean;
  replicaUrl: string | undefined;
  /** How far behind a replica may be, in milliseconds. */
  replicaLag: number;
  tell: (news: string, detail: { error?: string }) => void;
}

/** How long the database may be silent while it serves, in milliseconds. */
const patience = 750;
const mostTries = 6;
/** Two numbers that no other program is likely to lock. */
const changeLock = sql`select pg_advisory_xact_lock(4831, 1)`;
const beginSnapshot = "begin isolation level repeatable read, read only";

/** Opens a PostgreSQL database, or one that speaks its protocol, making the tables at first use. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { tell } = options;
  const routes = createRoutes(options.url);
  const traits = await prepare(options);
  const { isDistributed } = traits;
  const poolOptions = { connections: options.connections, statementTimeout: options.statementTimeout };
  const replica =
    options.replicaUrl === undefined || isDistributed
      ? undefined
      : watchReplica({
          routes: createRoutes(options.replicaUrl),
          pool: poolOptions,
          longestLag: options.replicaLag,
          onFound: () => tell("The replica answers, so lists are read from it.", {}),
          onLost: (error) => tell("The replica does not answer, so lists are read from the primary.", describe(error)),
        });
  let primary: { route: Route; pool: Pool } | undefined;
  let era = 0;

  function letGo(): void {
    primary?.route.cut();
    primary?.pool.end().catch(() => {});
    primary = undefined;
  }

  const pulse = await startPulse({
    routes,
    patience: options.isServing ? patience : Number.POSITIVE_INFINITY,
    hasSnapshots: !isDistributed,
    onFound(route) {
      era += 1;
      primary = { route, pool: route.openPool(poolOptions) };
      if (era > 1) tell("The database answers again.", {});
    },
    onLost(reason) {
      letGo();
      tell("The database is away, so requests are answered with 503 until it is back.", describe(reason));
    },
  });

  const source: ConnectionSource = {
    async connect() {
      if (!primary) throw new DatabaseAway("The database does not answer.");
      return primary.pool.connect();
    },
    end: async () => {},
  };
  const queries = new Kysely<Schema>({ dialect: postgresDialect(source, traits) });

  async function readPrimary<Result>(read: Read<Result>): Promise<Result> {
    const seen = era;
    return readSnapshot(queries, isDistributed ? nothingToAsk : askPrimary, read, ({ snapshot, position }) => ({
      stamp: isDistributed ? newStamp() : `${seen} ${snapshot}`,
      position: replica ? position : null,
      isReplica: false,
    }));
  }

  async function readReplica<Result>(pool: Pool, read: Read<Result>): Promise<Result> {
    const db = new Kysely<Schema>({
      dialect: postgresDialect({ connect: () => pool.connect(), end: async () => {} }, traits),
    });
    return readSnapshot(db, askReplica, read, ({ position }) => ({ stamp: newStamp(), position, isReplica: true }));
  }

  return {
    snapshot: readPrimary,
    async snapshotNearby(position, read) {
      const pool = replica?.poolAt(position);
      if (!pool) return readPrimary(read);
      try {
        return await readReplica(pool, read);
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error;
        return readPrimary(read);
      }
    },
    async change(write, { amongOthers = false } = {}) {
      for (let tried = 1; ; tried++) {
        try {
          return await queries.transaction().execute(async (db) => {
            if (!amongOthers && !isDistributed) await changeLock.execute(db);
            return write(db);
          });
        } catch (error) {
          if (isReadOnly(error)) pulse.lose(error);
          if (!isCollision(error) || tried === mostTries) throw translatePostgresError(error);
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 10 * 2 ** tried));
        }
      }
    },
    async stamp() {
      const { snapshot, position } = await pulse.beat();
      replica?.notePrimary(position);
      return `${era} ${snapshot}`;
    },
    async close() {
      await replica?.stop();
      await pulse.stop();
      await primary?.pool.end();
      letGo();
    },
  };
}

interface Traits extends PostgresTraits {
  isDistributed: boolean;
}

/** Makes sure that the server is one to rely on and that its tables are up to date, however long that takes. */
async function prepare({ url, kind }: PostgresOptions): Promise<Traits> {
  try {
    const { client, route } = await createRoutes(url).findPrimary();
    await client.end();
    const pool = route.openPool({ connections: 1, statementTimeout: 0 });
    const source = { connect: () => pool.connect(), end: () => pool.end() };
    const facts = await readPostgresFacts(pool);
    const isDistributed = kind === "auto" ? !facts.isPostgresql : kind === "distributed";
    const traits: Traits = {
      isDistributed,
      hasPartitions: !isDistributed,
      isolation: isDistributed ? "serializable" : "read committed",
    };
    if (!isDistributed) guardPostgres(facts);
    const db = new Kysely<Schema>({ dialect: postgresDialect(source, traits) });
    try {
      await migrate(db, isDistributed ? distributedColumns : postgresColumns);
      await buildScatteredIndexes(db);
    } finally {
      await db.destroy();
    }
    return traits;
  } catch (error) {
    throw translatePostgresError(error);
  }
}

interface Asked {
  snapshot: string;
  position: string;
}

const askPrimary = `${beginSnapshot}; select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as position`;
const askReplica = `${beginSnapshot}; select '' as snapshot, greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn())::text as position`;
const nothingToAsk = `${beginSnapshot}; select '' as snapshot, '' as position`;

/** Reads in one transaction. Its end is not waited for: nothing depends on it. */
function readSnapshot<Result>(
  queries: Queries,
  question: string,
  read: Read<Result>,
  momentOf: (asked: Asked) => Moment,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Here it is the transaction that cannot be written in, not the database.
    const fail = (error: unknown) => reject(isReadOnly(error) ? error : translatePostgresError(error));
    queries
      .connection()
      .execute(async (db) => {
        try {
          const { rows } = await db.executeQuery<Asked>(CompiledQuery.raw(question));
          const [asked = { snapshot: "", position: "" }] = rows;
          resolve(await read(db, momentOf(asked)));
          await db.executeQuery(CompiledQuery.raw("commit"));
        } catch (error) {
          fail(error);
          await db.executeQuery(CompiledQuery.raw("rollback")).catch(() => {});
        }
      })
      .catch(fail);
  });
}

let stamps = 0;

/** A stamp unlike all others, for what cannot be told apart. */
function newStamp(): string {
  stamps += 1;
  return `once ${stamps}`;
}

function describe(error: unknown): { error?: string } {
  const cause = error instanceof DatabaseAway && error.cause !== undefined ? error.cause : error;
  return cause instanceof Error ? { error: cause.message } : {};
}
