import { createUnitAccess } from "../access/context";
import { createRateLimit } from "../access/rate-limit";
import { createSessions } from "../access/sessions";
import { createTokenCheck, requireCaller } from "../access/tokens/check-token";
import { createTokenUse } from "../access/tokens/token-use";
import { createRefusals } from "../audit/count-refusals";
import { createAdmission } from "../http/admission";
import { createClientAddress } from "../http/client-address";
import { createHostCheck } from "../http/host-check";
import type { HttpParts } from "../http/http-parts";
import { createLinkNaming } from "../http/name-links";
import { defaultBodyArrival } from "../http/pending-bodies";
import type { ControlPlane } from "../installation/control-plane";
import { createReaders } from "../lists/readers";
import { createMailer } from "../mail/create-mailer";
import { createOutbound, type OutboundOptions } from "../outbound/outbound";
import type { ConsoleFiles } from "../pages/console-files";
import { createHeartbeatBatcher } from "../resources/tasks/leases/heartbeat-batcher";
import { defaultLeaseSecondMs } from "../resources/tasks/leases/lease";
import { createRenewableLeases } from "../resources/tasks/leases/read-leases";
import { createLongPolls } from "../resources/tasks/reports/long-polls";
import { createTaskFeed } from "../resources/tasks/watch/feed";
import { defaultWatchLimits, type WatchLimits } from "../resources/tasks/watch/watch-limits";
import type { Settings } from "../settings/declarations";
import { isLoopback } from "../settings/loopback";
import { version } from "../settings/version";
import { createOpenId } from "../sign-in/openid/openid";
import { createPasswords } from "../sign-in/password";
import { countCacheUse } from "../telemetry/count-cache-use";
import type { Log } from "../telemetry/log";
import { createMetrics, type ProcessGroup } from "../telemetry/metrics";
import { gauge } from "../telemetry/registry";
import { watchClock } from "../telemetry/watch-clock";
import { createWorkerHealth, workerNames } from "../telemetry/worker-health";
import { createStatsReader, meterOf, poolGauges } from "./read-stats";

/** A service that is put together. */
export type Service = HttpParts;

export interface ServiceParts {
  settings: Settings;
  controlPlane: ControlPlane;
  baseUrl: string;
  /** Those of the settings, unless the data knows others. */
  baseUrlAliases?: readonly string[];
  log: Log;
  clock?: () => number;
  isReady?: () => boolean;
  onBroken?: (error: Error) => void;
  processGroup?: ProcessGroup | undefined;
  bodyArrival?: number;
  /** The web console, where it is to be served. */
  consoleFiles?: ConsoleFiles | undefined;
  leaseSecondMs?: number;
  /** Limits of streams. Only tests have other limits than the defaults. */
  watchLimits?: Partial<WatchLimits>;
  /** Interval between reads of the database for metrics, in milliseconds. Only tests read at every scrape. */
  statsIntervalMs?: number;
  /** Options of requests to others: resolution of names, trust and timeouts. Only tests have others than the default. */
  outboundOptions?: Partial<OutboundOptions>;
}

/** Maximum age of metrics about the contents of the database, in milliseconds. */
const defaultStatsIntervalMs = 5_000;

/** Puts a service together. It answers requests through createApp and listens nowhere by itself. */
export function createService({
  settings,
  controlPlane,
  baseUrl,
  baseUrlAliases = settings.base_url_aliases,
  log,
  clock: wallClock = Date.now,
  isReady = () => true,
  onBroken = () => {},
  processGroup,
  consoleFiles,
  bodyArrival = defaultBodyArrival,
  leaseSecondMs = defaultLeaseSecondMs,
  watchLimits = {},
  statsIntervalMs = defaultStatsIntervalMs,
  outboundOptions = {},
}: ServiceParts): Service {
  const { database } = controlPlane;
  const clock = watchClock(wallClock, log);
  const admission = createAdmission({ arrival: bodyArrival });
  const workers = createWorkerHealth({ log, monotonic: () => performance.now() });
  const metrics = createMetrics({
    version,
    readGauges: () => [
      gauge("holdfast_requests_in_flight", {}, admission.inFlight()),
      gauge("holdfast_request_bodies_pending", {}, admission.pendingBodies()),
      gauge("holdfast_streams_open", {}, taskFeed.count()),
      gauge("holdfast_streams_held_back", {}, taskFeed.isHeldBack() ? 1 : 0),
      ...workerNames.map((worker) =>
        gauge("holdfast_workers_stalled", { worker }, workers.standingStill().includes(worker) ? 1 : 0),
      ),
      ...poolGauges(database.stats.pools()),
    ],
    readDatabase: createStatsReader({
      database,
      dataDir: settings.data_dir,
      every: statsIntervalMs,
      monitorLimit: settings.metrics_monitor_limit,
      addresses: { baseUrl, baseUrlAliases },
      clock,
    }),
    group: processGroup,
  });
  database.stats.countWith(meterOf(metrics));
  const taskFeed = createTaskFeed(database, {
    log,
    limits: { ...defaultWatchLimits, streams: settings.watch_limit, ...watchLimits },
    countUse: countCacheUse(metrics, "unit_paths"),
  });
  const sessionLife = settings.session_hours * 3600;
  const sessions = createSessions({
    database,
    clock,
    idle: settings.session_idle_minutes * 60_000,
    life: sessionLife * 1000,
    countUse: countCacheUse(metrics, "sessions"),
  });
  return {
    ...controlPlane,
    baseUrl,
    baseUrlAliases,
    tokenRenewalDays: settings.token_renewal_days,
    vendor: settings.vendor,
    tokenLimit: settings.token_limit,
    pageSizes: { default: settings.page_size_default, maximum: settings.page_size_maximum },
    underscoreLinks: settings.underscore_links,
    nameLinks: createLinkNaming(settings.underscore_links),
    metricsToken: settings.metrics_token,
    isLocal: isLoopback(new URL(baseUrl).hostname) && isLoopback(settings.host),
    checkToken: createTokenCheck({
      database,
      baseUrl,
      baseUrlAliases,
      siblingRegions: settings.sibling_regions,
      clock,
      countUse: countCacheUse(metrics, "callers"),
    }),
    limitRate: createRateLimit(settings.rate_limit, () => performance.now()),
    unitAccess: createUnitAccess(database, countCacheUse(metrics, "rights")),
    readers: createReaders({
      atOnce: database.longSnapshots,
      timeoutMs: settings.database_timeout * 1000,
      mustYield: admission.mustYield,
    }),
    isOurHost: createHostCheck([baseUrl, ...baseUrlAliases], settings.allowed_hosts),
    clientAddress: createClientAddress(settings.trusted_proxies),
    passwords: createPasswords(),
    sessions,
    sessionLife,
    openId: createOpenId(settings, baseUrl, log),
    groupRoles: settings.oidc_group_roles,
    tokenUse: createTokenUse(database, clock, log),
    reloadCaller: async (db, { kind, tokenId }) =>
      kind === "session" ? (await sessions.require(db, tokenId)).caller : requireCaller(db, tokenId, clock()),
    refusals: createRefusals(database, controlPlane.sealer, log),
    mailer: createMailer(settings),
    outbound: createOutbound({
      allowed: settings.webhook_allowed_targets,
      baseUrl,
      baseUrlAliases,
      ...outboundOptions,
    }),
    renewals: createHeartbeatBatcher(database, log),
    held: createLongPolls(),
    taskFeed,
    findRenewable: createRenewableLeases(database, countCacheUse(metrics, "unit_paths")),
    leaseSecondMs,
    consoleFiles,
    taskLogLimit: settings.task_log_limit,
    metrics,
    workers,
    log,
    clock,
    isReady,
    admission,
    onBroken,
  };
}
