import { statfsSync } from "node:fs";
import type { Database } from "../database/database";
import type { DatabaseMeter, PoolUse } from "../database/stats";
import type { OwnAddresses } from "../operations/operation-parts";
import { countExpiring } from "../resources/api-tokens/expiring-tokens";
import { countMonitors } from "../resources/monitors/count-monitors";
import { countOpen } from "../resources/tasks/counts/count-open";
import { countWaiting } from "../resources/webhooks/deliveries/delivery-store";
import { cacheRead } from "../telemetry/cache-read";
import { type GaugeValue, gauge, type Recorder } from "../telemetry/registry";

export interface StatsParts {
  database: Database;
  dataDir: string;
  /** Interval between queries about the contents of the database, in milliseconds, however often metrics are. */
  every: number;
  /** Up to how many monitors each has a series. */
  monitorLimit: number;
  /** Tokens issued for other addresses do not count. */
  addresses: OwnAddresses;
  clock: () => number;
}

/** Timeout of metrics for the database, in milliseconds. */
const timeoutMs = 1_000;

/** Makes what says how the database is. It never fails: what cannot be read is left out. */
export function createStatsReader({
  database,
  dataDir,
  every,
  monitorLimit,
  addresses,
  clock,
}: StatsParts): () => Promise<GaugeValue[]> {
  const isUp = cacheRead(async () => (await database.dataVersions()) !== undefined, { every: 0, timeoutMs });
  const readOpen = cacheRead(() => database.snapshot(countOpen), { every, timeoutMs });
  const readMonitors = cacheRead(() => database.snapshot((db) => countMonitors(db, monitorLimit)), {
    every,
    timeoutMs,
  });
  const readWaiting = cacheRead(() => database.snapshot((db) => countWaiting(db, clock())), { every, timeoutMs });
  const readTokens = cacheRead(() => database.snapshot((db) => countExpiring(db, addresses, clock())), {
    every,
    timeoutMs,
  });
  const readStored = cacheRead(() => database.stats.readStored(), { every, timeoutMs });

  async function readCounts(): Promise<GaugeValue[]> {
    const open = await readOpen();
    return [
      ...(open?.tasks ?? []).map(({ status, count }) => gauge("holdfast_tasks_open", { status }, count)),
      ...(open?.leases ?? []).map(({ liveness, count }) => gauge("holdfast_leases_held", { liveness }, count)),
    ];
  }

  async function readMonitorStats(): Promise<GaugeValue[]> {
    const { states = [], successes = [] } = (await readMonitors()) ?? {};
    return [
      ...states.map(({ state, count }) => gauge("holdfast_monitors", { state }, count)),
      ...successes.map(({ id: monitor, slug, since }) =>
        gauge("holdfast_monitor_seconds_since_success", { monitor, slug }, Math.max(0, clock() - since) / 1000),
      ),
    ];
  }

  async function readWaitingDeliveries(): Promise<GaugeValue[]> {
    const waiting = await readWaiting();
    if (!waiting) return [];
    const dueFor = waiting.dueSince === null ? 0 : (clock() - waiting.dueSince) / 1000;
    return [
      gauge("holdfast_webhook_deliveries_waiting", {}, waiting.count),
      gauge("holdfast_webhook_oldest_waiting_seconds", {}, Math.max(0, dueFor)),
    ];
  }

  async function readExpiringTokens(): Promise<GaugeValue[]> {
    const tokens = await readTokens();
    if (!tokens) return [];
    return [
      gauge("holdfast_tokens_expiring", {}, tokens.count),
      ...(tokens.nextAt === null
        ? []
        : [gauge("holdfast_token_next_expiry_timestamp_seconds", {}, tokens.nextAt / 1000)]),
    ];
  }

  async function readSizes(): Promise<GaugeValue[]> {
    const { size, wal, backedUpAt } = (await readStored()) ?? {};
    return [
      ...known(size, (bytes) => gauge("holdfast_database_size_bytes", {}, bytes)),
      ...known(wal, (bytes) => gauge("holdfast_database_wal_size_bytes", {}, bytes)),
      ...known(backedUpAt, (at) => gauge("holdfast_database_backup_timestamp_seconds", {}, at / 1000)),
    ];
  }

  return async () => {
    const answers = (await isUp()) === true;
    return [
      gauge("holdfast_database_up", {}, answers ? 1 : 0),
      ...known(freeBytes(dataDir), (bytes) => gauge("holdfast_data_directory_free_bytes", {}, bytes)),
      ...(answers
        ? (
            await Promise.all([
              readCounts(),
              readMonitorStats(),
              readWaitingDeliveries(),
              readExpiringTokens(),
              readSizes(),
            ])
          ).flat()
        : []),
    ];
  };
}

/** Gauges of the connections of this process to the database. */
export function poolGauges(uses: readonly PoolUse[]): GaugeValue[] {
  return uses.flatMap(({ pool, inUse, idle, waiting }) => [
    gauge("holdfast_database_connections", { pool, state: "in_use" }, inUse),
    gauge("holdfast_database_connections", { pool, state: "idle" }, idle),
    gauge("holdfast_database_connection_waiters", { pool }, waiting),
  ]);
}

/** Counts what a database does among all else. */
export function meterOf(metrics: Recorder): DatabaseMeter {
  return {
    waitedForConnection: (pool, seconds) =>
      metrics.observe("holdfast_database_connection_wait_seconds", { pool }, seconds),
    waitedForTurn: (seconds) => metrics.observe("holdfast_change_wait_seconds", {}, seconds),
    failedToWrite: (cause) => metrics.add("holdfast_write_failures_total", { cause }),
  };
}

function freeBytes(folder: string): number | undefined {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return undefined;
  }
}

function known<Value>(value: Value | undefined, show: (value: Value) => GaugeValue): GaugeValue[] {
  return value === undefined ? [] : [show(value)];
}
