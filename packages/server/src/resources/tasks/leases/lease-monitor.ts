import { type Liveness, livenesses } from "@holdfast/api/resources/task-words";
import type { SweptLease } from "./lease-store";

/** Durations in milliseconds. */
export interface LeaseTimes {
  /** A second of a lease. Only tests have shorter ones. */
  second: number;
  /** An observation that comes so much after the last one is a gap: this process, or its machine, stood still. */
  late: number;
}

/** The two clocks: the monotonic one decides, the wall clock only says how old something is that is seen for the first time. */
export interface Clocks {
  monotonic: number;
  wall: number;
}

/** Action that a task needs. */
export type LeaseVerdict = { lease: SweptLease } & (
  | { act: "lose" | "expire" }
  | { act: "flag"; liveness: Liveness }
  | { act: "note"; seconds: number }
);

/** Observation of a lease by this process, with its time on the monotonic clock. */
interface Seen {
  attempt: number;
  renewals: number;
  renewedAt: number;
  queuedAt: number;
  start: number | null;
  startedAt: number;
  progress: number;
  progressedAt: number;
  state: SweptLease["state"];
  abortedAt: number;
}

/** After a gap every lease lasts at least so long, so that every runner that lives is heard. In lease seconds. */
const grace = 300;
const queueGrace = 60;
/** Interval at which the passed part of a long lease is noted, in lease seconds. */
const noteEvery = 60;

/**
 * Counts how long runners have been silent. It counts on a monotonic clock from when it saw each renewal, so that no clock
 * that steps or is wrong ends the lease of a runner that reports; and gives new time after every gap in which none could.
 */
export class LeaseMonitor {
  readonly #seen = new Map<string, Seen>();
  readonly #times: LeaseTimes;
  #observedAt = Number.NEGATIVE_INFINITY;
  #gapAt = 0;

  constructor(times: LeaseTimes) {
    this.#times = times;
  }

  /** Notes that renewals may have been missed until now: the database was away, or heartbeats could not be written. */
  gap(): void {
    this.#observedAt = Number.NEGATIVE_INFINITY;
  }

  /** Takes in all leases of tasks that have not ended, and says what has to be done. */
  observe(leases: readonly SweptLease[], clocks: Clocks): LeaseVerdict[] {
    const { monotonic } = clocks;
    if (monotonic - this.#observedAt > this.#times.late) this.#gapAt = monotonic;
    const verdicts = leases.flatMap((lease) => this.#judge(lease, this.#see(lease, clocks), monotonic));
    this.#observedAt = monotonic;
    if (this.#seen.size > leases.length) this.#forgetAllBut(leases);
    return verdicts;
  }

  #forgetAllBut(leases: readonly SweptLease[]): void {
    const open = new Set(leases.map(({ task_id }) => task_id));
    for (const id of this.#seen.keys()) if (!open.has(id)) this.#seen.delete(id);
  }

  #see(lease: SweptLease, { monotonic, wall }: Clocks): Seen {
    const before = this.#seen.get(lease.task_id);
    const isSameAttempt = before?.attempt === lease.attempt;
    const isRenewed = before && !(isSameAttempt && before.renewals === lease.renewals);
    const isSameStart = isSameAttempt && before.start === lease.started_at;
    const isSameProgress = before?.progress === lease.progressed_at;
    // Most leases are as they were a second ago.
    if (before && !isRenewed && isSameStart && isSameProgress && before.state === lease.state) return before;
    const since = (moment: number | null) => monotonic - Math.max(0, wall - (moment ?? wall));
    const seen: Seen = {
      attempt: lease.attempt,
      renewals: lease.renewals,
      renewedAt: isRenewed ? monotonic : (before?.renewedAt ?? monotonic - lease.waited_seconds * this.#times.second),
      // A task that was missing in the last observation came after it, whatever the wall clock says: it may have been set.
      queuedAt: before?.queuedAt ?? Math.max(this.#observedAt, since(lease.received_at)),
      start: lease.started_at,
      startedAt: isSameStart ? before.startedAt : since(lease.started_at),
      progress: lease.progressed_at,
      progressedAt: !before ? since(lease.progressed_at) : isSameProgress ? before.progressedAt : monotonic,
      state: lease.state,
      abortedAt:
        lease.state === "aborting" ? (before?.abortedAt ?? since(lease.abort_requested_at)) : Number.POSITIVE_INFINITY,
    };
    if (lease.state === "aborting" && before?.abortedAt === Number.POSITIVE_INFINITY) seen.abortedAt = monotonic;
    this.#seen.set(lease.task_id, seen);
    return seen;
  }

  #judge(lease: SweptLease, seen: Seen, now: number): LeaseVerdict[] {
    const { second } = this.#times;
    const afterGap = (seconds: number) => this.#gapAt + seconds * second;
    if (lease.state === "queued") {
      const expiresAt = Math.max(seen.queuedAt + lease.start_by_seconds * second, afterGap(queueGrace));
      return now >= expiresAt ? [{ lease, act: "expire" }] : [];
    }
    const kept = Math.min(lease.lease_seconds, grace);
    if (now >= Math.max(seen.renewedAt + lease.lease_seconds * second, afterGap(kept))) {
      return [{ lease, act: "lose" }];
    }
    const liveness = this.#liveness(lease, seen, now, kept);
    if (liveness !== undefined && isWorse(liveness, lease.liveness)) return [{ lease, act: "flag", liveness }];
    const waited = Math.floor((now - seen.renewedAt) / second);
    const isNoted = lease.lease_seconds <= grace || waited < lease.waited_seconds + noteEvery;
    return isNoted ? [] : [{ lease, act: "note", seconds: waited }];
  }

  /** The first of what is worrying. */
  #liveness(lease: SweptLease, seen: Seen, now: number, kept: number): Liveness | undefined {
    const { second } = this.#times;
    const isPast = (since: number, seconds: number, atLeast: number) =>
      now >= Math.max(since + seconds * second, this.#gapAt + atLeast * second);
    if (isPast(seen.renewedAt, lease.lease_seconds / 2, kept / 2)) return "silent";
    const { max_duration_seconds: maxLength, stall_seconds: stall } = lease;
    if (isPast(seen.abortedAt, lease.abort_grace_seconds + lease.lease_seconds, 0)) return "overdue";
    if (maxLength !== null && isPast(seen.startedAt, maxLength, 0)) return "overdue";
    if (stall !== null && isPast(seen.progressedAt, stall, Math.min(stall, grace))) return "stalled";
    return undefined;
  }
}

/** Only a report makes a task less worrying, so that processes which have seen it for differently long do not disagree. */
function isWorse(liveness: Liveness, than: SweptLease["liveness"]): boolean {
  return than === "" || livenesses.indexOf(liveness) < livenesses.indexOf(than);
}
