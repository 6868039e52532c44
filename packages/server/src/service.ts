import type { NameLinks } from "@holdfast/api/conventions/hal";
import { withUnderscoreNames } from "@holdfast/api/conventions/hal";
import type { PageSizes } from "@holdfast/api/conventions/paging";
import type { Caller } from "./access/caller";
import { type CheckToken, createTokenCheck, requireCaller } from "./access/check-token";
import { createUnitEntrance, type EnterUnit } from "./access/context";
import type { GroupRole } from "./access/group-roles";
import { createOpenId, type OpenId } from "./access/openid";
import { createPasswords, type Passwords } from "./access/password";
import { createRateLimit, type LimitRate } from "./access/rate-limit";
import { createSessions, type Sessions } from "./access/sessions";
import { createTokenUse, type TokenUse } from "./access/token-use";
import type { ControlPlane } from "./control-plane";
import type { Queries } from "./database/database";
import { type ClientAddress, createClientAddress } from "./http/client-address";
import { isLoopback } from "./http/loopback";
import { createHostCheck } from "./http/our-host";
import { createTraffic, type Traffic } from "./http/traffic";
import { createReaders, type Readers } from "./lists/readers";
import { createMailer, type Mailer } from "./mail/create-mailer";
import { createRefusals, type Refusals } from "./observe/audit/count-refusals";
import type { Log } from "./observe/log";
import { createMetrics, type Metrics } from "./observe/metrics";
import { watchClock } from "./observe/watch-clock";
import type { Settings } from "./setting-declarations";
import { version } from "./version";

/** Everything that answering a request needs. */
export interface Service extends ControlPlane {
  baseUrl: string;
  vendor: string;
  pageSizes: PageSizes;
  underscoreLinks: boolean;
  nameLinks: NameLinks;
  metricsToken: string | undefined;
  /** Whether it can be reached from this machine alone, as far as it knows: a proxy would have another address. */
  isLocal: boolean;
  checkToken: CheckToken;
  limitRate: LimitRate;
  enterUnit: EnterUnit;
  readers: Readers;
  isOurHost: (host: string) => boolean;
  clientAddress: ClientAddress;
  passwords: Passwords;
  sessions: Sessions;
  /** Seconds after which a session ends in any case. */
  sessionLife: number;
  /** Undefined where no OpenID provider is set. */
  openId: OpenId | undefined;
  groupRoles: readonly GroupRole[];
  tokenUse: TokenUse;
  /** Reads anew, inside a transaction, who a caller is and with which rights; refuses with 401 who has lost them. */
  reloadCaller: (db: Queries, caller: Caller) => Promise<Caller>;
  refusals: Refusals;
  /** Where a mail server is configured. */
  mailer: Mailer | undefined;
  metrics: Metrics;
  log: Log;
  clock: () => number;
  /** Whether a load balancer should send requests here. */
  isReady: () => boolean;
  traffic: Traffic;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}

export interface ServiceParts {
  settings: Settings;
  controlPlane: ControlPlane;
  baseUrl: string;
  log: Log;
  clock?: () => number;
  isReady?: () => boolean;
  onBroken?: (error: Error) => void;
}

/** Puts a service together. It answers requests through createApp and listens nowhere by itself. */
export function createService({
  settings,
  controlPlane,
  baseUrl,
  log,
  clock: wallClock = Date.now,
  isReady = () => true,
  onBroken = () => {},
}: ServiceParts): Service {
  const { database } = controlPlane;
  const clock = watchClock(wallClock, log);
  const traffic = createTraffic();
  const sessionLife = settings.session_hours * 3600;
  const sessions = createSessions({
    database,
    clock,
    idle: settings.session_idle_minutes * 60_000,
    life: sessionLife * 1000,
  });
  return {
    ...controlPlane,
    baseUrl,
    vendor: settings.vendor,
    pageSizes: { default: settings.page_size_default, maximum: settings.page_size_maximum },
    underscoreLinks: settings.underscore_links,
    nameLinks: settings.underscore_links ? withUnderscoreNames : (links) => links,
    metricsToken: settings.metrics_token,
    isLocal: isLoopback(new URL(baseUrl).hostname) && isLoopback(settings.host),
    checkToken: createTokenCheck({ database, baseUrl, siblingRegions: settings.sibling_regions, clock }),
    limitRate: createRateLimit(settings.rate_limit, () => performance.now()),
    enterUnit: createUnitEntrance(database),
    readers: createReaders({ atOnce: database.longSnapshots, patience: settings.database_timeout * 1000 }),
    isOurHost: createHostCheck(baseUrl, settings.allowed_hosts),
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
    metrics: createMetrics({ version, traffic }),
    log,
    clock,
    isReady,
    traffic,
    onBroken,
  };
}
