import type { TaskLease } from "@holdfast/api/resources/tasks";
import type { Selectable } from "kysely";
import type { TaskLeaseTable } from "../../../database/schema";

/** Facts about the runner of a task. */
export type Lease = Selectable<TaskLeaseTable>;

/** Columns that a heartbeat is compared with or answered from. */
export const heartbeatColumns = [
  "task_id",
  "organizational_unit_id",
  "holder",
  "attempt",
  "sequence",
  "state",
  "lease_seconds",
  "liveness",
  "abort_reason",
  "start_by_seconds",
  "received_at",
  "log_size",
] as const satisfies (keyof Lease)[];

/** As much of a lease as heartbeats need, because they come most often. */
export type HeartbeatLease = Pick<Lease, (typeof heartbeatColumns)[number]>;

/** For how long a lost task can be revived, and an ended one recognises what is reported again, in milliseconds. */
export const leaseRetentionMs = 30 * 86_400_000;

/** Length of a second of a lease, in milliseconds. Only tests have shorter ones. */
export const defaultLeaseSecondMs = 1_000;

/** Factor by which runners are asked to report less often, from 1 to 2: a busy service asks for less. */
export type ReportRate = () => number;

const soonest = 5;
const latest = 60;

/** True if the task has not ended. */
export function isOpen({ state }: Pick<Lease, "state">): boolean {
  return state === "queued" || state === "in_progress" || state === "aborting";
}

/** Lease for its runner, which has just renewed it; nothing once the task has ended. */
export function presentLease(lease: HeartbeatLease | undefined, pace: ReportRate, now: number): TaskLease | null {
  if (!lease || !isOpen(lease)) return null;
  const { lease_seconds: seconds } = lease;
  // Spread by chance, so that runners which began together do not report together for ever.
  const intervalSeconds = Math.min(Math.max(seconds / 6, soonest), latest) * (0.8 + 0.4 * Math.random());
  return {
    attempt: lease.attempt,
    sequence: lease.sequence,
    expires_in_seconds: lease.state === "queued" ? secondsToStart(lease, now) : seconds,
    next_report_seconds: Math.max(1, Math.round(Math.min(intervalSeconds * pace(), seconds / 3))),
    abort_requested: lease.state === "aborting",
    abort_reason: lease.state === "aborting" ? lease.abort_reason : null,
    log_size: lease.log_size,
  };
}

/** No report makes the time longer in which a queued task has to be claimed. */
function secondsToStart({ start_by_seconds: seconds, received_at: since }: HeartbeatLease, now: number): number {
  return Math.min(Math.max(0, seconds - Math.floor((now - since) / 1_000)), seconds);
}
