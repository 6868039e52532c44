import type { PageSizes } from "@holdfast/api/conventions/paging";
import type { PageSettings } from "../lists/page";
import type { Mailer } from "../mail/create-mailer";
import type { Outbound } from "../outbound/outbound";
import type { Sealer } from "../secrets/seal";
import type { Recorder } from "../telemetry/registry";

/** The addresses of this control plane. */
export interface OwnAddresses {
  /** The one that links and new tokens have. */
  baseUrl: string;
  /** Further ones: tokens issued for them are valid. */
  baseUrlAliases: readonly string[];
}

/** Dependencies of reads and changes other than their transaction. */
export interface OperationParts extends PageSettings, OwnAddresses {
  /** For how many days after it was given a service token can renew itself. */
  tokenRenewalDays: number;
  pageSizes: PageSizes;
  /** Maximum number of valid service tokens of a unit and the units below it. */
  tokenLimit: number;
  /** Opens what only the holder of the secret may read. */
  sealer: Sealer;
  /** Where a mail server is configured. */
  mailer: Mailer | undefined;
  /** Sends to addresses that users have named. */
  outbound: Outbound;
  clock: () => number;
  /** Counts what happens; undefined in a command, which ends with what it has counted. */
  metrics: Recorder | undefined;
}
