import type { UnitAccess } from "../access/context";
import type { LimitRate } from "../access/rate-limit";
import type { CheckToken } from "../access/tokens/check-token";
import type { TokenUse } from "../access/tokens/token-use";
import type { Metrics } from "../observe/metrics";
import type { WorkerHealth } from "../observe/worker-health";
import type { ChangeParts } from "../operations/make-change";
import type { OperationParts } from "../operations/operation-parts";
import type { ConsoleFiles } from "../pages/console-files";
import type { TaskReportParts } from "../resources/tasks/reports/report-tasks";
import type { TaskFeed } from "../resources/tasks/watch/feed";
import type { OpenId } from "../sign-in/openid/openid";
import type { SignInParts } from "../sign-in/sign-in-parts";
import type { Admission } from "./admission";
import type { ClientAddress } from "./client-address";
import type { NameLinks } from "./name-links";

/** Parts that answering requests needs: what operations and sign-in need, and what HTTP adds to that. */
export interface HttpParts extends OperationParts, ChangeParts, SignInParts, TaskReportParts {
  vendor: string;
  underscoreLinks: boolean;
  nameLinks: NameLinks;
  metricsToken: string | undefined;
  /** True if it can be reached from this machine alone, as far as it knows: a proxy would have another address. */
  isLocal: boolean;
  checkToken: CheckToken;
  limitRate: LimitRate;
  unitAccess: UnitAccess;
  isOurHost: (host: string) => boolean;
  clientAddress: ClientAddress;
  /** Seconds after which a session ends in any case. */
  sessionLife: number;
  /** Undefined where no OpenID provider is set. */
  openId: OpenId | undefined;
  tokenUse: TokenUse;
  metrics: Metrics;
  /** Which workers of this process stand still. */
  workers: WorkerHealth;
  /** True if a load balancer should send requests here. */
  isReady: () => boolean;
  admission: Admission;
  /** The web console; undefined where it is not served. */
  consoleFiles: ConsoleFiles | undefined;
  /** Feed that streams of tasks follow. */
  taskFeed: TaskFeed;
  /** Called when the database can no longer be trusted. */
  onBroken: (error: Error) => void;
}
