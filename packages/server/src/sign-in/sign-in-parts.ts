import type { Sessions } from "../access/sessions";
import type { Refusals } from "../audit/count-refusals";
import type { Database } from "../database/database";
import type { Sealer } from "../secrets/seal";
import type { GroupRole } from "../settings/group-roles";
import type { Log } from "../telemetry/log";
import type { Recorder } from "../telemetry/registry";
import type { Passwords } from "./password";

/** Parts that the ways to sign in need. */
export interface SignInParts {
  database: Database;
  sealer: Sealer;
  baseUrl: string;
  passwords: Passwords;
  sessions: Sessions;
  refusals: Refusals;
  groupRoles: readonly GroupRole[];
  log: Log;
  metrics: Recorder;
  clock: () => number;
}
