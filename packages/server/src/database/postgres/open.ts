import type { Pool, PoolClient } from "pg";
import { type UnwatchedDatabase, watchWrites } from "../common/watch-writes";
import { withTimeout } from "../common/with-timeout";
import type { Database, Notify } from "../database";
import { DatabaseUnavailable } from "../errors";
import { noMeter, type PoolUse } from "../stats";
import { createChange } from "./change";
import { explainToOperator, reasonOf } from "./errors";
import { type PrepareOptions, prepare, unhurriedConnectTimeoutMs } from "./prepare";
import { monitorPrimary } from "./primary-monitor";
import { createServerDiscovery, type Route } from "./server-discovery";
import { readSizes } from "./sizes";
import { readInSnapshot } from "./snapshot";
import { dataVersionsIn } from "./versions";
import { watchCommits } from "./watch-commits";

/** Options for a PostgreSQL database. */
export interface PostgresOptions extends PrepareOptions {
  connections: number;
  /** Timeout of a statement, in milliseconds; 0 means none. */
  statementTimeout: number;
  /** True if requests wait: then a silent database counts as unavailable at once. Commands have time. */
  isServing: boolean;
  /** Timeout of requests for a connection or an answer, in milliseconds; by default under a second. */
  answerTimeoutMs: number | undefined;
  notify: Notify;
}

/** Timeout for a silent database while it serves, in milliseconds. */
const timeoutMs = 750;
/** Timeout for connections to close in good order, in milliseconds. */
const closeTimeoutMs = 1_000;

/** Opens a PostgreSQL database, making the tables at first use. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { notify } = options;
  const discovery = createServerDiscovery(
    options.url,
    options.isServing ? options.answerTimeoutMs : unhurriedConnectTimeoutMs,
  );
  const identity = await prepare(options);
  const poolOptions = { connections: options.connections, statementTimeout: options.statementTimeout };
  const limit = options.answerTimeoutMs ?? timeoutMs;
  let primary: { route: Route; pool: Pool } | undefined;
  let era = 0;
  let meter = noMeter;
  /** The reasons of unavailability that were logged: each once. */
  const toldReasons = new Set<string>();

  function letGo(): void {
    primary?.route.cut();
    primary?.pool.end().catch(() => {});
    primary = undefined;
  }

  const monitor = await monitorPrimary({
    discovery,
    timeoutMs: options.isServing ? limit : Number.POSITIVE_INFINITY,
    onFound({ route, place }) {
      era += 1;
      primary = { route, pool: route.openPool(poolOptions) };
      toldReasons.clear();
      const fields = discovery.areSeveral ? { detail: place } : {};
      if (era > 1) notify("info", "The database answers again.", fields);
      else if (discovery.areSeveral) notify("info", "The primary was found.", fields);
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

  /** Takes a connection, and counts how long that was waited for. */
  async function connect(): Promise<PoolClient> {
    if (!primary) throw new DatabaseUnavailable("The database does not answer.");
    const askedAt = performance.now();
    try {
      return await primary.pool.connect();
    } finally {
      meter.waitedForConnection("primary", (performance.now() - askedAt) / 1000);
    }
  }

  const commits = watchCommits({
    timeoutMs: options.isServing ? limit : Number.POSITIVE_INFINITY,
    areHeldUp: () => monitor.waitsForStandby(limit),
    notify,
  });
  const changeNow = createChange({
    connect,
    onReadOnly: (error) => monitor.lose(error),
    onWaited: (seconds) => meter.waitedForTurn(seconds),
  });
  const snapshot: Database["snapshot"] = (read) =>
    readInSnapshot({ connect, era, needsPrimary: options.isServing }, read);

  const database: UnwatchedDatabase = {
    identity,
    // Here no reader waits for another, as long as there are connections.
    snapshot,
    longSnapshots: Math.max(1, Math.floor(options.connections / 4)),
    change: (write, how = {}) => commits.guard((proceed) => changeNow(write, how, proceed)),
    stats: {
      countWith: (given) => {
        meter = given;
      },
      pools: () => [useOf(primary?.pool)],
      readStored: () => readSizes(snapshot),
    },
    async dataVersions() {
      return dataVersionsIn(await monitor.probe(), era);
    },
    async close() {
      // One that has fallen silent would be waited for in vain.
      await withTimeout(Promise.all([monitor.stop(), primary?.pool.end()]), closeTimeoutMs).catch(() => {});
      letGo();
    },
  };
  // Its disk is elsewhere: that a change succeeds has to do.
  return watchWrites(database, () => true, notify);
}

function useOf(pool: Pool | undefined): PoolUse {
  const [all, idle] = [pool?.totalCount ?? 0, pool?.idleCount ?? 0];
  return { pool: "primary", inUse: all - idle, idle, waiting: pool?.waitingCount ?? 0 };
}
