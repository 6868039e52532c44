import { defaultBodyArrival } from "@holdfast/server/http/pending-bodies";
import { defaultLeaseSecondMs } from "@holdfast/server/resources/tasks/lease";

/** Timeouts of a service. Only tests have shorter ones. */
export interface Timeouts {
  /** For a body to arrive, in milliseconds. */
  bodyArrival: number;
  /** For a sign of life of a process that answers requests, in seconds: it is never busy for that long. */
  silenceSeconds: number;
  /** For processes to end, beyond the time in which they say that they are not ready, in milliseconds. */
  finish: number;
  /** Length of a second of a lease, in milliseconds. */
  leaseSecondMs: number;
  /** Counts the time that leases last, in milliseconds. */
  monotonic: () => number;
}

export const defaultTimeouts: Timeouts = {
  bodyArrival: defaultBodyArrival,
  silenceSeconds: 10,
  finish: 15_000,
  leaseSecondMs: defaultLeaseSecondMs,
  monotonic: () => performance.now(),
};
