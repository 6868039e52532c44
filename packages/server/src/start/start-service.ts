import { keepAnchor } from "../audit/keep-anchor";
import { createApp } from "../http/app";
import { type HttpListener, listen } from "../http/listen";
import { listenForMetrics } from "../http/listen-for-metrics";
import { defaultBodyArrival } from "../http/pending-bodies";
import { openControlPlane } from "../installation/control-plane";
import { noteBaseUrl } from "../installation/installation";
import { placeConsole, readBuiltConsole } from "../pages/console-files";
import { countForeignTokens, listTokens } from "../resources/api-tokens/store";
import { defaultLeaseSecondMs } from "../resources/tasks/leases/lease";
import type { WatchLimits } from "../resources/tasks/watch/watch-limits";
import type { Settings } from "../settings/declarations";
import { defaultBaseUrl, requireBaseUrl } from "../settings/settings";
import { version } from "../settings/version";
import { makeFirstOwnerLink } from "../sign-in/first-owner";
import type { Log } from "../telemetry/log";
import type { ProcessGroup } from "../telemetry/metrics";
import type { MetricsSnapshot } from "../telemetry/metrics-snapshot";
import { startWebhookDeliveries } from "../workers/deliver-webhooks";
import { startMaintenance } from "../workers/maintenance";
import { startStaleMarking } from "../workers/mark-stale";
import { startMissedRunDetector } from "../workers/missed-run-detector";
import { type ProcessRegistration, startProcessRegistration } from "../workers/process-registry";
import { startReminders } from "../workers/send-reminders";
import { startLeaseSweep } from "../workers/sweep-leases";
import { startUnmuting } from "../workers/unmute";
import { createService } from "./service";

/** A service that runs. */
export interface RunningService {
  port: number;
  baseUrl: string;
  /** The port that metrics have for themselves, where they have one. */
  metricsPort: number | undefined;
  /** True if there is a token for it. */
  hasTokens: boolean;
  /** The link for the first owner; null if there is an owner, or if another process has created the link. */
  firstOwnerLink: string | null;
  /** Reads the metrics of this process. */
  readMetrics(): Promise<MetricsSnapshot>;
  /** Says that it is not ready, waits for the load balancer to notice, finishes what is being answered, and closes. */
  stop(options: { drainSeconds: number }): Promise<void>;
}

export interface StartOptions {
  log: Log;
  clock?: () => number;
  /** True if other processes serve the same data on the same port. */
  sharesPort?: boolean;
  /** True if this process joins others that serve already: what is made at a start has been made. */
  joinsOthers?: boolean;
  /** Called when the database can no longer be trusted: the process should end. */
  onBroken: (error: Error) => void;
  /** Asks for what the other processes on the same port have done, where there are others. */
  processGroup?: ProcessGroup | undefined;
  /** The folder of the built web console, where it is to be served. */
  consoleFolder?: string | undefined;
  /** Timeout for a body to arrive, in milliseconds. Only tests have a shorter one. */
  bodyArrival?: number;
  /** Length of a second of a lease, in milliseconds. Only tests have shorter ones. */
  leaseSecondMs?: number;
  /** Limits of streams. Only tests have other limits than the defaults. */
  watchLimits?: Partial<WatchLimits>;
  /** Milliseconds that no step of the wall clock changes. */
  monotonic?: () => number;
}

/** Opens the data and answers requests until it is stopped. */
export async function startService(
  settings: Settings,
  {
    log,
    clock = Date.now,
    sharesPort = false,
    joinsOthers = false,
    onBroken,
    processGroup,
    consoleFolder,
    bodyArrival = defaultBodyArrival,
    leaseSecondMs = defaultLeaseSecondMs,
    watchLimits = {},
    monotonic = () => performance.now(),
  }: StartOptions,
): Promise<RunningService> {
  requireBaseUrl(settings);
  const built = consoleFolder === undefined ? undefined : await readBuiltConsole(consoleFolder);
  const controlPlane = await openControlPlane(settings, clock(), {
    isServing: true,
    notify: (level, message, fields) => log[level](message, fields),
  });
  const { database } = controlPlane;
  const listeners: HttpListener[] = [];
  let isReady = true;
  let serving: ProcessRegistration | undefined;
  try {
    const listener = listen({
      host: settings.host,
      port: settings.port,
      sharesPort,
      // Requests can come in only after this function has gone on, and by then there is an app.
      answer: (request, connection) => app.fetch(request, connection),
    });
    listeners.push(listener);
    const baseUrl = settings.base_url ?? defaultBaseUrl(settings.host, listener.port);
    const consoleFiles = built && placeConsole(built, { baseUrl, vendor: settings.vendor, version });
    const service = createService({
      settings,
      controlPlane,
      baseUrl,
      log,
      clock,
      isReady: () => isReady,
      onBroken,
      processGroup,
      consoleFiles,
      bodyArrival,
      leaseSecondMs,
      watchLimits,
    });
    const app = createApp(service);
    const metrics = settings.metrics_listen && (await listenForMetrics(service, settings.metrics_listen, sharesPort));
    if (metrics) listeners.push(metrics);
    if (metrics) log.info("Metrics are served on a port of their own.", { detail: `port ${metrics.port}` });
    serving = await startProcessRegistration(database, baseUrl, log);
    const { noted } = await noteBaseUrl(
      controlPlane,
      { baseUrl, isSet: settings.base_url !== undefined, aliases: settings.base_url_aliases },
      clock(),
    );
    if (noted !== baseUrl) {
      log.warn("This node refuses tokens, because they are made for another base URL. Set base_url on this node.", {
        detail: `tokens are made for ${noted}; without base_url this node serves ${baseUrl}`,
      });
    }
    const foreign = noted === baseUrl ? await database.snapshot((db) => countForeignTokens(db, service, clock())) : [];
    if (foreign.length > 0) {
      log.warn(
        "Tokens are refused, because they were issued for an address that the service had before. Name it in base_url_aliases to accept them, or make new ones and revoke these.",
        { detail: foreign.map(({ address, count }) => `${address}: ${count} of them`).join(", ") },
      );
    }
    const maintenance = startMaintenance({
      ...controlPlane,
      baseUrl,
      baseUrlAliases: settings.base_url_aliases,
      days: settings.task_retention_days,
      logDays: { success: settings.log_retention_days, others: settings.log_retention_days_failed },
      clock,
      log,
      workers: service.workers,
    });
    const leases = startLeaseSweep({ ...service, monotonic });
    const expectedRuns = startMissedRunDetector({ ...service, monotonic });
    const mutes = startUnmuting(service);
    const silence = startStaleMarking({ ...service, staleAfterDays: settings.stale_after_days });
    const deliveries = startWebhookDeliveries(service);
    const reminders = startReminders(service);
    const hasTokens = (await database.snapshot(listTokens)).length > 0;
    const link = joinsOthers ? undefined : await makeFirstOwnerLink(controlPlane, baseUrl, clock());
    const anchor = keepAnchor({
      ...controlPlane,
      dataDir: settings.data_dir,
      log,
      onCompared: (isThere) => service.metrics.set("holdfast_audit_anchor_ok", {}, isThere ? 1 : 0),
    });
    return {
      port: listener.port,
      baseUrl,
      metricsPort: metrics?.port,
      hasTokens,
      firstOwnerLink: link ?? null,
      readMetrics: service.metrics.read,
      async stop({ drainSeconds }) {
        isReady = false;
        service.held.close();
        service.taskFeed.close();
        await new Promise((resolve) => setTimeout(resolve, drainSeconds * 1000));
        for (const one of listeners) await one.stop();
        await expectedRuns.stop();
        await leases.stop();
        await mutes.stop();
        await silence.stop();
        await reminders.stop();
        await deliveries.stop();
        await maintenance.stop();
        await serving?.stop();
        await service.tokenUse.flush();
        await service.refusals.flush();
        await anchor.stop();
        await database.close();
        log.flush();
      },
    };
  } catch (error) {
    // Open listeners would keep the process from ending.
    await Promise.all(listeners.map((listener) => listener.stop()));
    await serving?.stop();
    await database.close();
    throw error;
  }
}
