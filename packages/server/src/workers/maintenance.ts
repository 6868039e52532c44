import { errorMessage } from "@holdfast/api/conventions/error-message";
import { recordAction } from "../audit/record-action";
import type { Database } from "../database/database";
import { DatabaseUnavailable } from "../database/errors";
import { refreshOldStatistics } from "../database/tasks/indexes";
import type { OwnAddresses } from "../operations/operation-parts";
import { daysLeft } from "../resources/api-tokens/expiring-tokens";
import { leaseRetentionMs } from "../resources/tasks/leases/lease";
import { forgetLeases } from "../resources/tasks/leases/lease-store";
import { type LogDays, removeOldLogs } from "../resources/tasks/logs/log-retention";
import { removeOldTasks } from "../resources/tasks/retention";
import { announceExpiringTokens, findDueTokens } from "../resources/webhooks/announce-expiring-tokens";
import { removeOldDeliveries } from "../resources/webhooks/deliveries/delivery-store";
import type { Sealer } from "../secrets/seal";
import type { Log } from "../telemetry/log";
import type { WorkerHealth } from "../telemetry/worker-health";

export interface MaintenanceParts extends OwnAddresses {
  database: Database;
  /** Seals the audit trail, which records what is removed. */
  sealer: Sealer;
  /** The number of days to keep tasks; 0 keeps all. */
  days: number;
  /** The number of days to keep logs, of tasks with success and of others; 0 keeps them with their tasks. */
  logDays: LogDays;
  clock: () => number;
  log: Log;
  workers: WorkerHealth;
  /** Maximum delay between the start and the first run, in milliseconds. */
  firstWithin?: number;
}

/** Work that the service does by itself, every hour. */
export interface Maintenance {
  /** Waits until what is being done has come to a point where it can stop. */
  stop(): Promise<void>;
}

/** By chance, so that of several processes that start at once one comes first and leaves nothing to the others. */
const defaultFirstWithinMs = 20_000;
const hour = 3_600_000;
const minute = 60_000;
/** After so long without a round, it stands still. The first round on a large database takes long. */
const maxSilenceMs = 4 * hour;

/** Starts to look after the tasks: removes old ones, and keeps the database's picture of them fresh. */
export function startMaintenance(parts: MaintenanceParts): Maintenance {
  const { database, sealer, days, logDays, clock, log, workers, firstWithin = defaultFirstWithinMs } = parts;
  const worker = workers.begin("maintenance", maxSilenceMs);
  const stopping = new AbortController();
  const toldOf = new Set<string>();
  let running = Promise.resolve();
  let timer = setTimeout(begin, firstWithin * Math.random()).unref();
  let logged: string | undefined;

  function begin(): void {
    running = lookAfter();
  }

  async function lookAfter(): Promise<void> {
    const refresh = () => database.change(refreshOldStatistics, { kind: "maintenance", isLong: true });
    const isAway =
      (await attempt("Tokens that expire soon could not be announced.", announceTokens)) ||
      (await attempt("Old logs could not be removed.", () =>
        removeOldLogs(database, { days: logDays, now: clock(), signal: stopping.signal }),
      )) ||
      (days > 0 && (await attempt("Old tasks could not be removed.", removeOld))) ||
      (await attempt("Leases of tasks that ended long ago could not be removed.", forgetOldLeases)) ||
      (await attempt("Old deliveries of webhooks could not be removed.", forgetDeliveries)) ||
      (!stopping.signal.aborted && (await attempt("The statistics of the tasks could not be refreshed.", refresh)));
    if (!isAway) logged = undefined;
    worker.ran();
    if (!stopping.signal.aborted) timer = setTimeout(begin, isAway ? minute : hour).unref();
  }

  /** Runs some work, and returns whether it failed because the database is unavailable. */
  async function attempt(failure: string, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return false;
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable;
      const message = `${failure} It is tried again in ${isAway ? "a minute" : "an hour"}.`;
      // While the database stays away, once is enough.
      if (message !== logged) log.warn(message, { error: errorMessage(error) });
      if (isAway) logged = message;
      return isAway;
    }
  }

  async function announceTokens(): Promise<void> {
    // Reading keeps no other process from writing, and mostly there is nothing to announce.
    if ((await database.snapshot((db) => findDueTokens(db, parts, clock()))).length === 0) return;
    for (const token of await database.change((db) => announceExpiringTokens(db, parts, clock()))) {
      log.warn("A token expires soon. Renew it with holdfast token renew, or revoke it if nothing uses it any more.", {
        detail: `${token.name} (${token.id}), in ${daysLeft(token, clock())} days`,
      });
    }
  }

  const forgetOldLeases = () =>
    database.change((db) => forgetLeases(db, clock() - leaseRetentionMs), { kind: "maintenance" });

  async function forgetDeliveries(): Promise<void> {
    const remove = () => database.change((db) => removeOldDeliveries(db, clock()), { kind: "maintenance" });
    while (!stopping.signal.aborted && (await remove()));
  }

  async function removeOld(): Promise<void> {
    const months = await removeOldTasks(database, {
      days,
      now: clock(),
      record: (db, action) => recordAction(db, { kind: "system", sealer, at: clock() }, action),
      signal: stopping.signal,
    });
    for (const { month, removed, unfinished } of months) {
      if (removed > 0) {
        log.info("Tasks were removed that are older than task_retention_days.", {
          detail: `${removed} tasks of ${month.label}`,
        });
      }
      if (unfinished > 0 && !toldOf.has(month.label)) {
        toldOf.add(month.label);
        log.info("A month is older than task_retention_days, but kept until all of its tasks are finished.", {
          detail: `${unfinished} tasks of ${month.label} are not finished`,
        });
      }
    }
  }

  return {
    async stop() {
      clearTimeout(timer);
      stopping.abort();
      await running;
      worker.stop();
    },
  };
}
