import { type ApiError, refuse, refuseField } from "@holdfast/api/conventions/api-error";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type CreateTaskBody, reportNumbers, type UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import { type Liveness, outcomesOf, type TaskCategory, type TaskStatus } from "@holdfast/api/resources/task-words";
import { type Lease, leaseRetentionMs } from "./leases/lease";
import type { TaskRecord } from "./record";

// This file alone changes the status of a task. Its functions are pure: from a task and a report to the task afterwards.

/** A task and who runs it. Imported tasks, and those that ended long ago, have no lease. */
export interface TrackedTask {
  record: TaskRecord;
  lease: Lease | undefined;
}

/** Who reports. */
export interface Reporter {
  /** The user, or the service token with all that it was rotated to. */
  holder: string;
  /** True if they may see tasks that they do not hold. */
  mayRead: boolean;
}

/** Result of a report. */
export interface LifecycleStep {
  task: TrackedTask;
  /** Why the report is refused although it left a trace: it said something that is not believed. */
  refusal?: ApiError;
}

/** A new task as it was reported: everything checked, its id and its unit known. */
export type NewTask = CreateTaskBody & {
  id: string;
  organizational_unit_id: string;
  category: TaskCategory;
  type: string;
};

type Ending = Pick<UpdateTaskBody, "error" | "abort"> & { outcome?: TaskRecord["outcome"] | undefined };
type FinalStatus = "completed" | "failed" | "aborted";

const ends: readonly TaskStatus[] = ["completed", "failed", "aborted"];
/** A task that was heard of so long after it was created says so, in milliseconds. */
const lateReception = 60_000;

/** For how long an ended task takes log, in milliseconds. */
const logAfterEnd = 3_600_000;

/** True if a task has come to its end. */
export function isFinished(status: TaskStatus): status is FinalStatus {
  return ends.includes(status);
}

/** True if a report only says that the runner lives. */
export function isHeartbeat(body: object): boolean {
  return Object.keys(body).every((field) => field === "attempt" || field === "wait_seconds");
}

/** A task as it is first reported. */
export function createTask(given: NewTask, holder: string, now: number): TrackedTask {
  const status = given.status ?? "in_progress";
  const happenedAt = now - (given.age_ms ?? 0);
  const createdAt = happenedAt - (given.duration_ms ?? 0);
  const created = formatTimestamp(createdAt);
  const hasBegun = status !== "queued";
  const record: TaskRecord = {
    id: given.id,
    category: given.category,
    status: hasBegun ? "in_progress" : "queued",
    progress_percentage: given.progress_percentage ?? 0,
    created_timestamp: created,
    type: given.type,
    start_timestamp: hasBegun ? created : null,
    end_timestamp: null,
    organizational_unit_id: given.organizational_unit_id,
    primary_entity: entityOf(given.primary_entity),
    outcome: null,
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: formatTimestamp(now),
    last_progress_timestamp: given.progress_percentage === undefined ? null : created,
    ...(given.name === undefined ? {} : { name: given.name }),
    ...(given.operation === undefined || given.operation === given.type ? {} : { operation: given.operation }),
    ...(given.progress_message ? { progress_message: given.progress_message } : {}),
    ...(given.attempt === undefined || given.attempt === 1 ? {} : { attempt: given.attempt }),
    ...(given.monitor_id === undefined ? {} : { monitor_id: given.monitor_id }),
    ...(given.runner === undefined ? {} : { runner: given.runner }),
    ...(now - createdAt > lateReception ? { received_timestamp: formatTimestamp(now) } : {}),
  };
  const lease: Lease = {
    task_id: given.id,
    created_at: createdAt,
    organizational_unit_id: given.organizational_unit_id,
    holder,
    former_holders: "[]",
    claim_id: null,
    attempt: given.attempt ?? 1,
    sequence: given.sequence ?? 0,
    state: hasBegun ? "in_progress" : "queued",
    lease_seconds: given.lease_seconds ?? reportNumbers.leaseSeconds.default,
    renewals: 1,
    waited_seconds: 0,
    liveness: "",
    can_abort: given.can_abort ? 1 : 0,
    abort_grace_seconds: given.abort_grace_seconds ?? reportNumbers.abortGraceSeconds.default,
    abort_requested_at: null,
    abort_reason: null,
    start_by_seconds: given.start_by_seconds ?? reportNumbers.startBySeconds.default,
    max_duration_seconds: given.max_duration_seconds ?? null,
    stall_seconds: given.stall_seconds ?? null,
    received_at: now,
    started_at: hasBegun ? createdAt : null,
    progressed_at: happenedAt,
    log_size: 0,
    ended_at: null,
  };
  const task = withAbortability({ record, lease });
  return isFinished(status) ? finish(task, status, given, { at: happenedAt, now }) : task;
}

/** Refuses a repeated creation that is about another task. */
export function requireSameTask({ record, lease }: TrackedTask, given: NewTask, holder: string): void {
  const isSame =
    lease?.holder === holder &&
    record.organizational_unit_id === given.organizational_unit_id &&
    record.category === given.category &&
    record.type === given.type;
  if (!isSame) throw refuseField("alreadyThere", "/id", "This id belongs to another task. Choose a new one.");
}

/** Applies a report to a task. */
export function applyReport(task: TrackedTask, body: UpdateTaskBody, reporter: Reporter, now: number): LifecycleStep {
  const { lease, record } = task;
  if (!lease) {
    throw refuse("stateConflict", "Nothing can be reported on this task: it was imported, or ended long ago.");
  }
  const attempt = body.attempt ?? lease.attempt;
  if (attempt > lease.attempt) return { task: takeOver({ record, lease }, attempt, body, now, reporter) };
  const isClaim = lease.state === "queued" && body.status === "in_progress";
  if (attempt < lease.attempt && (isClaim || wasHolder(lease, reporter))) {
    const superseded = refuse(
      "attemptSuperseded",
      `Attempt ${lease.attempt} has taken this task over. Stop, and report nothing more on it.`,
    );
    return refuseLate(task, attempt, body, superseded, now);
  }
  if (isClaim) return { task: claim({ record, lease }, body, now, reporter) };
  requireHolder(lease, body, reporter);
  if (body.sequence !== undefined && body.sequence <= lease.sequence) return { task };
  switch (lease.state) {
    case "queued":
      return { task: keepQueued({ record, lease }, body, now) };
    case "ended":
      return repeatEnd(task, attempt, body, now);
    case "lost":
      if (body.status === "failed" && body.outcome === "lost") return { task: explainLoss(task, body) };
      if (lease.ended_at !== null && now - lease.ended_at > leaseRetentionMs) {
        throw refuse("stateConflict", "This task was lost too long ago. Report the work as a new task.");
      }
      return { task: proceed(revive({ record, lease }, now), body, now) };
    default:
      return { task: proceed({ record, lease }, body, now) };
  }
}

/** The host of a lost run may know better than the service what became of its runner. */
function explainLoss(task: TrackedTask, { error }: UpdateTaskBody): TrackedTask {
  const { record, lease } = task;
  if (!error || error.code !== record.error?.code || error.message === record.error.message) return task;
  return { record: { ...record, error }, lease };
}

/** Accepts a piece of a log: it says that the runner lives. An ended task takes what was written before its end for an hour. */
export function acceptLog(
  task: TrackedTask,
  attempt: number | undefined,
  reporter: Reporter,
  now: number,
): LifecycleStep {
  const { lease } = task;
  const isOfEnded = lease?.state === "ended" && (attempt ?? lease.attempt) === lease.attempt;
  if (!isOfEnded) return applyReport(task, attempt === undefined ? {} : { attempt }, reporter, now);
  requireHolder(lease, {}, reporter);
  if (now - (lease.ended_at ?? now) <= logAfterEnd) return { task };
  throw refuse("stateConflict", "This task ended too long ago to take more log.");
}

/** Asks for a task to be aborted. One that waits is aborted at once. */
export function requestAbort(task: TrackedTask, by: string, reason: string | null, now: number): TrackedTask {
  const { record, lease } = task;
  if (record.status === "aborting") return task;
  if (!lease || !record.is_abortable) {
    throw refuse("notAbortable", `This task cannot be aborted. ${whyNotAbortable(task)}`);
  }
  const abort = { requested_timestamp: formatTimestamp(now), requested_by: by, reason };
  const asked = { record: { ...record, abort }, lease: { ...lease, abort_requested_at: now, abort_reason: reason } };
  if (lease.state === "queued") return finish(asked, "aborted", {}, { at: now, now });
  return withAbortability({
    record: { ...asked.record, status: "aborting" },
    lease: { ...asked.lease, state: "aborting" },
  });
}

/** Ends a task whose runner was not heard of for a whole lease. */
export function loseTask({ record, lease }: TrackedTask, now: number): TrackedTask {
  const error =
    lease?.state === "aborting"
      ? {
          code: "abort_unconfirmed",
          message: "The runner was asked to abort, and has not been heard of since.",
          remedy: "See on its host whether the work has stopped. The task follows if its runner reports again.",
        }
      : isPinged(lease)
        ? noEndSignal(`No ping has said how the run ended within ${lease?.lease_seconds} seconds.`)
        : {
            code: "runner_lost",
            message: `Nothing was heard of the runner for ${lease?.lease_seconds} seconds.`,
            remedy:
              "See whether its host is up and can reach this service. The task follows if its runner reports again.",
          };
  return finish({ record, lease }, "failed", { outcome: "lost", error }, { at: now, now });
}

/** Who holds the runs that pings report: the monitor. */
export function pingHolder(monitorId: string): string {
  return `${pingHolders}${monitorId}`;
}

const pingHolders = "monitor ";

function isPinged(lease: Lease | undefined): boolean {
  return lease?.holder.startsWith(pingHolders) === true;
}

/** Error of a run whose start was pinged, and whose end was not. */
export function noEndSignal(message: string) {
  const remedy = "See on its host whether the run was killed, or whether its last ping could not be sent.";
  return { code: "no_end_signal", message, remedy };
}

/** Ends a task that was not begun in time. */
export function expireTask(task: TrackedTask, now: number): TrackedTask {
  const error = {
    code: "not_started_in_time",
    message: `No runner claimed the task within ${task.lease?.start_by_seconds} seconds.`,
    remedy: "See whether a runner for it is up, and report the work as a new task.",
  };
  return finish(task, "failed", { outcome: "expired", error }, { at: now, now });
}

/** Facts about a run that did not come. */
export type MissedRun = Pick<TaskRecord, "id" | "category" | "type" | "organizational_unit_id" | "primary_entity"> & {
  name: string;
  operation: string;
  monitor_id: string;
  error: NonNullable<TaskRecord["error"]>;
};

/** A task for an expected run that did not come, as of the moment when that was certain. It has never begun. */
export function missTask({ error, operation, ...given }: MissedRun, at: number, now: number): TrackedTask {
  const record: TaskRecord = {
    ...given,
    ...(operation === given.type ? {} : { operation }),
    status: "queued",
    progress_percentage: 0,
    created_timestamp: formatTimestamp(at),
    start_timestamp: null,
    end_timestamp: null,
    outcome: null,
    error: null,
    is_abortable: false,
    last_heartbeat_timestamp: null,
    last_progress_timestamp: null,
    ...(now - at > lateReception ? { received_timestamp: formatTimestamp(now) } : {}),
  };
  return finish({ record, lease: undefined }, "failed", { outcome: "missed", error }, { at, now });
}

/** Notes what is worrying about a task, or that nothing is. */
export function setLiveness({ record, lease }: TrackedTask, liveness: Liveness | undefined): TrackedTask {
  const { liveness: _, ...calm } = record;
  return withAbortability({
    record: liveness === undefined ? calm : { ...calm, liveness },
    lease: lease && { ...lease, liveness: liveness ?? "" },
  });
}

type Leased = TrackedTask & { lease: Lease };

function claim(task: Leased, body: UpdateTaskBody, now: number, { holder }: Reporter): TrackedTask {
  const { record, lease } = task;
  const claimed: Leased = {
    record: begun(record, body, now),
    // It could not get on while it waited, so it has not stalled.
    lease: { ...lease, ...claimOf(body), holder, state: "in_progress", progressed_at: now },
  };
  return proceed(claimed, body, now);
}

/** Lets another attempt go on with a lost task. */
function takeOver(task: Leased, attempt: number, body: UpdateTaskBody, now: number, reporter: Reporter): TrackedTask {
  const { record, lease } = task;
  const isLost = lease.state === "lost" && now - (lease.ended_at ?? now) <= leaseRetentionMs;
  const begins = body.status === undefined || body.status === "in_progress";
  if (!isLost || attempt !== lease.attempt + 1 || !begins) {
    if (!isLost) requireHolder(lease, body, reporter);
    throw refuse(
      "stateConflict",
      `Attempt ${attempt} cannot begin. Only a lost task is taken over, with the status in_progress and the attempt after the last, which was ${lease.attempt}.`,
    );
  }
  const former: string[] = JSON.parse(lease.former_holders);
  const { abort: _, progress_message: __, ...rest } = record;
  const taken: Leased = {
    record: begun({ ...withoutEnd(rest), progress_percentage: 0, attempt }, body, now),
    lease: {
      ...lease,
      ...claimOf(body),
      former_holders: JSON.stringify([...new Set([...former, lease.holder])].slice(-20)),
      holder: reporter.holder,
      attempt,
      sequence: 0,
      state: "in_progress",
      progressed_at: now,
      abort_requested_at: null,
      abort_reason: null,
      ended_at: null,
    },
  };
  return proceed(taken, body, now);
}

function claimOf({ claim_id }: UpdateTaskBody): { claim_id: string } {
  if (claim_id !== undefined) return { claim_id };
  throw refuseField("bodyInvalid", "/claim_id", 'The field "claim_id" is missing. It has to be a UUID, one per run.');
}

function begun(record: TaskRecord, body: UpdateTaskBody, now: number): TaskRecord {
  const at = Math.max(Date.parse(record.created_timestamp), now - (body.age_ms ?? 0));
  return { ...record, status: "in_progress", start_timestamp: formatTimestamp(at) };
}

/** The claim distinguishes two hosts that share a token. */
function requireHolder(lease: Lease, { claim_id }: UpdateTaskBody, { holder, mayRead }: Reporter): void {
  // Anyone who reports may claim a task that waits, and so may know of it. One that is held is there for its holder and for readers.
  const isHidden = !mayRead && lease.holder !== holder;
  if (isHidden && lease.state !== "queued") throw unknownTask();
  const wasNeverClaimed = lease.state === "ended" && lease.claim_id === null;
  if (claim_id !== undefined && claim_id !== lease.claim_id && !wasNeverClaimed) {
    throw refuse("leaseForeign", "Another run has claimed this task. Leave it to that one.");
  }
  if (lease.holder === holder) return;
  if (isHidden) throw unknownTask();
  throw refuse("leaseForeign", "Another caller holds this task. Only its holder reports on it.");
}

function unknownTask(): ApiError {
  return refuse("itemUnknown", "There is no such task, or you may not see it.");
}

function wasHolder(lease: Lease, { holder }: Reporter): boolean {
  const former: string[] = JSON.parse(lease.former_holders);
  return lease.holder === holder || former.includes(holder);
}

function keepQueued({ record, lease }: Leased, body: UpdateTaskBody, now: number): TrackedTask {
  const saysMore = body.status ?? body.progress_percentage ?? body.progress_message;
  if (saysMore !== undefined) {
    throw refuse("stateConflict", "This task is queued. Claim it first, with the status in_progress and a claim_id.");
  }
  return proceed({ record, lease }, body, now);
}

/** The end that was reported before may be reported again. Any other is refused, and noted. */
function repeatEnd(task: TrackedTask, attempt: number, body: UpdateTaskBody, now: number): LifecycleStep {
  const { status, outcome } = task.record;
  const isSame = body.status === status && (body.outcome ?? outcomesOf[body.status][0]) === outcome;
  if (isSame) return { task };
  const over = refuse("stateConflict", `This task has ended: it is ${status}. Report other work as a new task.`);
  return refuseLate(task, attempt, body, over, now);
}

/** Refuses a report, and notes on the task what it said. */
function refuseLate(
  task: TrackedTask,
  attempt: number,
  body: UpdateTaskBody,
  refusal: ApiError,
  now: number,
): LifecycleStep {
  const { status } = body;
  const known = task.record.late_report;
  if (status === undefined || (known?.attempt === attempt && known.status === status)) return { task, refusal };
  const late_report = { attempt, status, received_timestamp: formatTimestamp(now) };
  return { task: { ...task, record: { ...task.record, late_report } }, refusal };
}

/** A lost task whose runner is heard of again goes on where it was. */
function revive({ record, lease }: Leased, now: number): Leased {
  const state = lease.abort_requested_at === null ? "in_progress" : "aborting";
  return {
    record: { ...withoutEnd(record), status: state, revised_timestamp: formatTimestamp(now) },
    lease: { ...lease, state, ended_at: null },
  };
}

function withoutEnd(record: TaskRecord): TaskRecord {
  return { ...record, end_timestamp: null, outcome: null, error: null };
}

/** Applies the parts of every accepted report: progress, other limits, the lease, and the end where it says so. */
function proceed({ record, lease }: Leased, body: UpdateTaskBody, now: number): TrackedTask {
  const at = Math.max(Date.parse(record.start_timestamp ?? record.created_timestamp), now - (body.age_ms ?? 0));
  const percentage = Math.max(record.progress_percentage, body.progress_percentage ?? 0);
  const message = body.progress_message ?? record.progress_message ?? "";
  const isFurther = percentage !== record.progress_percentage || message !== (record.progress_message ?? "");
  const { progress_message: _, ...rest } = record;
  const renewed: Lease = {
    ...lease,
    sequence: Math.max(lease.sequence, body.sequence ?? 0),
    renewals: lease.renewals + 1,
    waited_seconds: 0,
    lease_seconds: body.lease_seconds ?? lease.lease_seconds,
    can_abort: body.can_abort === undefined ? lease.can_abort : Number(body.can_abort),
    abort_grace_seconds: body.abort_grace_seconds ?? lease.abort_grace_seconds,
    max_duration_seconds: body.max_duration_seconds ?? lease.max_duration_seconds,
    stall_seconds: body.stall_seconds ?? lease.stall_seconds,
    started_at: record.start_timestamp === null ? null : Date.parse(record.start_timestamp),
    progressed_at: isFurther ? now : lease.progressed_at,
  };
  const gone: TaskRecord = {
    ...rest,
    ...(message === "" ? {} : { progress_message: message }),
    progress_percentage: percentage,
    primary_entity: body.primary_entity ? entityOf(body.primary_entity) : record.primary_entity,
    last_progress_timestamp: isFurther ? formatTimestamp(at) : record.last_progress_timestamp,
  };
  const isRelaxed = body.max_duration_seconds !== undefined || body.stall_seconds !== undefined;
  const isCalm = lease.liveness === "silent" || (lease.liveness === "stalled" && isFurther) || isRelaxed;
  const heard = isCalm ? setLiveness({ record: gone, lease: renewed }, undefined) : { record: gone, lease: renewed };
  if (body.status !== undefined && isFinished(body.status)) return finish(heard, body.status, body, { at, now });
  return withAbortability(heard);
}

/** Ends a task: the one place where it gets its end. */
function finish(
  { record, lease }: TrackedTask,
  status: FinalStatus,
  { outcome, error, abort }: Ending,
  { at, now }: { at: number; now: number },
): TrackedTask {
  // After a step back of the clock, the order counts for more than the time.
  const notBefore = Date.parse(record.start_timestamp ?? record.created_timestamp);
  const ended: TaskRecord = {
    ...record,
    status,
    progress_percentage: status === "completed" ? 100 : record.progress_percentage,
    end_timestamp: formatTimestamp(Math.max(notBefore, at)),
    outcome: outcome ?? outcomesOf[status][0] ?? null,
    error: error ?? null,
    ...(abort === undefined ? {} : { abort: { ...(record.abort ?? unasked), ...abort } }),
  };
  const state = ended.outcome === "lost" ? "lost" : "ended";
  return setLiveness({ record: ended, lease: lease && { ...lease, state, ended_at: now } }, undefined);
}

/** An abort that was not asked for here: the work was stopped on its host. */
const unasked = { requested_timestamp: null, requested_by: null, reason: null };

function withAbortability({ record, lease }: TrackedTask): TrackedTask {
  const runs = lease?.state === "in_progress" && lease.can_abort === 1 && lease.liveness !== "silent";
  return { record: { ...record, is_abortable: lease?.state === "queued" || runs }, lease };
}

function whyNotAbortable({ record, lease }: TrackedTask): string {
  if (isFinished(record.status)) return "It has ended.";
  if (!lease) return "It was imported, so no runner can be asked.";
  return lease.can_abort === 1 ? "Its runner is silent." : "Its runner cannot stop the work. Stop it on its host.";
}

/** Entity of a task, as it is stored: its value is its id if no other was given. */
export function entityOf(given: CreateTaskBody["primary_entity"]): TaskRecord["primary_entity"] {
  return given ? { id: given.id ?? given.value, type: given.type, value: given.value } : null;
}
