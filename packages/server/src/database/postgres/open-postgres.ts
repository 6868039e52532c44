import { CompiledQuery, Kysely } from "kysely";
import type { Pool, PoolClient } from "pg";
import { distributedColumns, postgresColumns } from "../columns";
import type { Database, Moment, Notify, OnMigration, Queries, Read, Stamps } from "../database";
import { type DomainVersions, stampsOf } from "../domains";
import { DatabaseAway } from "../errors";
import { noMeter, type PoolName, type PoolUse } from "../figures";
import { inTime } from "../in-time";
import { type MigrateOptions, migrate } from "../migrate";
import type { Schema } from "../schema";
import { buildScatteredIndexes } from "../tasks/indexes";
import { refuseOtherKind } from "../tasks/partitions";
import { TurnNeeded } from "../turn";
import { refuseUnfinishedMove } from "../unfinished-move";
import { type UnwatchedDatabase, watchWrites } from "../watch-writes";
import { type ConnectionSource, type PostgresTraits, postgresDialect } from "./dialect";
import { explainToOperator, isCollision, isLocked, isReadOnly, reasonOf, translateRefusal } from "./errors";
import { guardPostgres, guardTables, readPostgresFacts } from "./guard";
import { lockChanges, lockLane } from "./lock-changes";
import { noScans } from "./no-scans";
import { askReplica, type Replica, readIdentity, watchReplica } from "./replica";
import { createRoutes, type Route } from "./routes";
import { readSizes } from "./sizes";
import { RepeatRead, readInSnapshot } from "./snapshot";
import { StatementNames } from "./statement-names";
import { withoutPassword } from "./url";
import { type SeenVersions, versionsColumn } from "./versions-column";
import { watchCommits } from "./watch-commits";
import { watchPrimary } from "./watch-primary";

/** What is to be known about a PostgreSQL database and how it is used. */
export interface PostgresOptions {
  url: string;
  /** `auto` looks at what the server calls itself. */
  kind: "auto" | "postgresql" | "distributed";
  connections: number;
  /** How long a statement may take, in milliseconds; 0 is for ever. */
  statementTimeout: number;
  /** Whether requests wait: then a silent database counts as unavailable at once. Commands have time. */
  isServing: boolean;
  /** Whether rows are still being moved into it, so that it need not be whole. */
  isMoveTarget: boolean;
  /** How long requests wait for a connection or an answer, in milliseconds; where it is not given, under a second. */
  longestSilence: number | undefined;
  replicaUrl: string | undefined;
  /** How far behind a replica may be, in milliseconds. */
  replicaLag: number;
  notify: Notify;
  onMigration: OnMigration;
}

/** How long the database may be silent while it serves, in milliseconds. */
const patience = 750;
/** The connect timeout while no request waits yet, in milliseconds. */
const patientConnect = 3_000;
/** How long to wait for connections to end in good order, in milliseconds. */
const longestClose = 1_000;
const mostTries = 6;
const longestWaitForRow = 5_000;
const beginSnapshot = "begin isolation level repeatable read, read only";

/** Opens a PostgreSQL database, or one that speaks its protocol, making the tables at first use. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { notify } = options;
  const routes = createRoutes(options.url, options.isServing ? options.longestSilence : patientConnect);
  const replicaRoutes = options.replicaUrl === undefined ? undefined : createRoutes(options.replicaUrl);
  const traits = await prepare(options);
  const { isDistributed } = traits;
  const poolOptions = { connections: options.connections, statementTimeout: options.statementTimeout };
  const limit = options.longestSilence ?? patience;
  let replica: Replica | undefined;
  let primary: { route: Route; pool: Pool } | undefined;
  let era = 0;
  /** What the primary has answered last, and the stamps of that moment. */
  let last: { seen: SeenVersions; stamps: Stamps } | undefined;
  const names = new StatementNames();
  let meter = noMeter;
  /** The reasons of unavailability that were logged: each once. */
  const toldReasons = new Set<string>();

  /** The stamps of a moment; those of the last one are not made again. */
  function stampsNow(seen: SeenVersions): Stamps {
    if (seen === last?.seen) return last.stamps;
    return stampsOf(`${era} ${seen.snapshot}`, seen.versions, String(era));
  }

  function letGo(): void {
    primary?.route.cut();
    primary?.pool.end().catch(() => {});
    primary = undefined;
  }

  const pulse = await watchPrimary({
    routes,
    patience: options.isServing ? limit : Number.POSITIVE_INFINITY,
    hasSnapshots: !isDistributed,
    asksForPosition: replicaRoutes !== undefined,
    names,
    onStatus(beat) {
      if (beat.seen !== last?.seen) last = { seen: beat.seen, stamps: stampsNow(beat.seen) };
      replica?.notePrimary(beat);
    },
    onFound({ route, place }) {
      era += 1;
      last = undefined;
      primary = { route, pool: route.openPool(poolOptions) };
      toldReasons.clear();
      const fields = routes.areSeveral ? { detail: place } : {};
      if (era > 1) notify("info", "The database answers again.", fields);
      else if (routes.areSeveral) notify("info", "The primary was found.", fields);
    },
    onLost(reason) {
      letGo();
      const error = reasonOf(reason);
      toldReasons.add(error);
      notify("warn", "The database is away, so requests are answered with 503 until it is back.", { error });
    },
    onMissed(reason) {
      const error = reasonOf(reason);
      if (toldReasons.has(error)) return;
      toldReasons.add(error);
      notify("warn", "The database is still away.", { error });
    },
  }).catch((error) => {
    throw explainToOperator(error, options.url);
  });

  /** Takes a connection of a pool, and counts how long that was waited for. */
  async function take(name: PoolName, pool: Pool): Promise<PoolClient> {
    const askedAt = performance.now();
    try {
      return await pool.connect();
    } finally {
      meter.waitedForConnection(name, (performance.now() - askedAt) / 1000);
    }
  }

  const commits = watchCommits({
    patience: options.isServing && !isDistributed ? limit : Number.POSITIVE_INFINITY,
    areHeldUp: () => pulse.waitsForStandby(limit),
    notify,
  });
  const source: ConnectionSource = {
    async connect() {
      if (!primary) throw new DatabaseAway("The database does not answer.");
      return take("primary", primary.pool);
    },
    end: async () => {},
  };
  const queries = new Kysely<Schema>({ dialect: postgresDialect(source, traits, { sendsTogether: !isDistributed }) });

  /** Reads on the primary where each snapshot is asked for nothing but its stamps. */
  async function readQuickly<Result>(read: Read<Result>): Promise<Result> {
    for (let tried = 1; ; tried++) {
      const begunIn = era;
      const stampsHere = (seen: SeenVersions) => {
        // What was seen before a failover says nothing of the server after it.
        if (era !== begunIn) throw new RepeatRead();
        return stampsNow(seen);
      };
      try {
        const how = { source, traits, names, seen: last?.seen, stampsOf: stampsHere };
        return await readInSnapshot({ ...how, needsPrimary: options.isServing }, read);
      } catch (error) {
        if (!(error instanceof RepeatRead) || tried === mostTries) throw error;
      }
    }
  }

  async function readPrimary<Result>(read: Read<Result>): Promise<Result> {
    if (!isDistributed && !replica) return readQuickly(read);
    const seen = era;
    return readSnapshot(
      queries,
      isDistributed ? nothingToAsk : askPrimary,
      read,
      ({ snapshot, position, versions }) => ({
        stamp: isDistributed ? stampsOf(newStamp(), {}) : stampsOf(`${seen} ${snapshot}`, versions, String(seen)),
        position: replica ? position : null,
        isCurrent: true,
      }),
    );
  }

  if (replicaRoutes && isDistributed) {
    notify("warn", "A distributed database needs no replica, so replica_url is not used.");
  } else if (replicaRoutes) {
    replica = watchReplica({
      routes: replicaRoutes,
      pool: poolOptions,
      queriesOn: (pool) =>
        new Kysely({ dialect: postgresDialect({ connect: () => take("replica", pool), end: async () => {} }, traits) }),
      identity: traits.identity,
      longestLag: options.replicaLag,
      notify,
    });
  }

  const database: UnwatchedDatabase = {
    // Here no reader waits for another, as long as there are connections.
    snapshot: (read) => readPrimary(read),
    longSnapshots: Math.max(1, Math.floor(options.connections / 4)),
    async snapshotNearby(position, read) {
      const near = replica?.whenNear();
      if (!near) return readPrimary(read);
      try {
        return await readSnapshot(near.queries, askReplica, read, (answer) => near.momentOf(answer, position));
      } catch (error) {
        if (!(error instanceof DatabaseAway)) throw error;
        return readPrimary(read);
      }
    },
    change: (write, { concurrent = false, besideItsKind = false } = {}) =>
      commits.guard(async (proceed) => {
        const deadline = performance.now() + longestWaitForRow;
        let waitingSince: number | undefined;
        let lock = besideItsKind ? lockLane : lockChanges;
        const endWait = () => {
          if (waitingSince !== undefined) meter.waitedForTurn((performance.now() - waitingSince) / 1000);
          waitingSince = undefined;
        };
        for (let tried = 1; ; ) {
          try {
            return await queries.transaction().execute(async (db) => {
              if (concurrent) return write(db);
              waitingSince ??= performance.now();
              await lock(db);
              endWait();
              proceed();
              return write(db);
            });
          } catch (error) {
            if (error instanceof TurnNeeded) {
              lock = lockChanges;
              continue;
            }
            if (isReadOnly(error)) pulse.lose(error);
            const isNotOurTurn = isLocked(error) && performance.now() < deadline;
            if (!isNotOurTurn) endWait();
            if (!isNotOurTurn && (!isCollision(error) || tried === mostTries)) throw translateRefusal(error);
            if (!isNotOurTurn) tried += 1;
            await new Promise((resolve) => setTimeout(resolve, Math.random() * 5 * 2 ** tried));
          }
        }
      }),
    figures: {
      countWith: (given) => {
        meter = given;
      },
      pools: () => [useOf("primary", primary?.pool), ...(replica ? [useOf("replica", replica.pool())] : [])],
      replicaLag: () => replica?.lag(),
      readStored: () => readSizes(readPrimary),
    },
    async stamp() {
      return stampsNow((await pulse.beat()).seen);
    },
    async close() {
      await replica?.stop();
      // One that has fallen silent would be waited for in vain.
      await inTime(Promise.all([pulse.stop(), primary?.pool.end()]), longestClose).catch(() => {});
      letGo();
    },
  };
  // Its disk is elsewhere: that a change succeeds has to do.
  return watchWrites(database, () => true, notify);
}

function useOf(name: PoolName, pool: Pool | undefined): PoolUse {
  const [all, idle] = [pool?.totalCount ?? 0, pool?.idleCount ?? 0];
  return { pool: name, inUse: all - idle, idle, waiting: pool?.waitingCount ?? 0 };
}

interface Traits extends PostgresTraits {
  isDistributed: boolean;
  /** Identifies the database, where that is needed. */
  identity: string;
}

/** Makes sure that the server is one to rely on and that its tables are up to date, however long that takes. */
async function prepare({ url, kind, isMoveTarget, replicaUrl, onMigration }: PostgresOptions): Promise<Traits> {
  let route: Route | undefined;
  try {
    ({ route } = await createRoutes(url, patientConnect).findPrimary());
    const pool = route.openPool({ connections: 1, statementTimeout: 0 });
    const facts = await readPostgresFacts(pool);
    const isDistributed = kind === "auto" ? !facts.isPostgresql : kind === "distributed";
    const traits: Traits = {
      isDistributed,
      hasPartitions: !isDistributed,
      isolation: isDistributed ? "serializable" : "read committed",
      identity: isDistributed || replicaUrl === undefined ? "" : (await readIdentity(pool)).identity,
    };
    if (!isDistributed) guardPostgres(facts);
    await guardTables(pool);
    const source = { connect: () => pool.connect(), end: async () => {} };
    const db = new Kysely<Schema>({ dialect: postgresDialect(source, traits) });
    if (!isMoveTarget) await refuseUnfinishedMove(db);
    const options = announceMigration(url, onMigration);
    await (isDistributed ? migrateAmongOthers(db, options) : migrate(db, postgresColumns, options));
    await refuseOtherKind(db);
    if (!isMoveTarget) await buildScatteredIndexes(db);
    return traits;
  } catch (error) {
    throw explainToOperator(error, url);
  } finally {
    route?.cut();
  }
}

function announceMigration(url: string, onMigration: OnMigration): MigrateOptions {
  return {
    onPending: async ({ from, to }) => {
      const [, user] = /\/\/([^:@/]+)[:@]/.exec(url) ?? [];
      const login = user === undefined ? "" : `--username=${user} `;
      const command = `pg_dump --format=custom --file=holdfast.dump ${login}${withoutPassword(url)}`;
      const detail = `from ${from} to ${to}; Holdfast makes no copy of it. Before an upgrade, run: ${command}`;
      onMigration("info", "The database is of an older version, so it is migrated.", detail);
    },
    onMigrated: () => onMigration("info", "The database was migrated."),
  };
}

/** Without locks there can be a migration conflict: the second process fails, retries, and finds the tables. */
async function migrateAmongOthers(db: Queries, options: MigrateOptions): Promise<void> {
  for (let tried = 1; ; tried++) {
    try {
      return await migrate(db, distributedColumns, options);
    } catch (error) {
      if (tried === mostTries) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100 * 2 ** tried));
    }
  }
}

interface Asked {
  snapshot: string;
  position: string;
  versions: DomainVersions;
}

const askPrimary = `${beginSnapshot}; ${noScans}; select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as position, ${versionsColumn}`;
const nothingToAsk = `${beginSnapshot}; select '' as snapshot, '' as position, '{}'::json as versions`;

/** Reads in one transaction. Its end is not waited for: nothing depends on it. */
function readSnapshot<Result>(
  queries: Queries,
  question: string,
  read: Read<Result>,
  momentOf: (asked: Asked) => Moment,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    // Here it is the transaction that cannot be written in, not the database.
    const fail = (error: unknown) => reject(isReadOnly(error) ? error : translateRefusal(error));
    queries
      .connection()
      .execute(async (db) => {
        try {
          const { rows } = await db.executeQuery<Asked>(CompiledQuery.raw(question));
          const [asked = { snapshot: "", position: "", versions: {} }] = rows;
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

/** A stamp that equals no other, for a database that does not report commits. */
function newStamp(): string {
  stamps += 1;
  return `once ${stamps}`;
}
