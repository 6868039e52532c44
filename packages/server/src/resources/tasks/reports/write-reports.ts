import { ApiError, refuse } from "@holdfast/api/conventions/api-error";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { LogPiece } from "@holdfast/api/resources/task-logs";
import type { UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import { sql } from "kysely";
import type { Queries } from "../../../database/database";
import { asListValue, isInList, type ListValue } from "../../../database/many-rows";
import { prepareQuery } from "../../../database/prepared-query";
import { canBeStored } from "../../../lists/comparisons";
import type { Lease } from "../leases/lease";
import { addLeases, lockLeases, saveLeases } from "../leases/lease-store";
import {
  acceptLog,
  applyReport,
  createTask,
  entityOf,
  type NewTask,
  type Reporter,
  requireSameTask,
  type TrackedTask,
} from "../lifecycle";
import { type AddedPiece, addToLogs } from "../logs/log-store";
import { newPart, type StoredPiece } from "../logs/log-text";
import { readDocument, type TaskRecord, writeDocument } from "../record";
import { findTasks } from "./find-tasks";
import type { FollowTasks } from "./follow-tasks";
import { type FindFollower, type FollowedWork, followedWork, readFollowers } from "./following-monitors";
import { type StoredTask, saveTasks, type TaskUpdate } from "./store";

/** A report, checked, and who sends it. */
export type TaskReport = { taskId: string; reporter: Reporter; unitId: string } & (
  | { operation: "create"; task: NewTask }
  | { operation: "update"; body: UpdateTaskBody }
  | { operation: "log"; attempt: number | undefined; piece: LogPiece }
);

/** Result of a report: the task as it is now, or why it was refused. */
export type WrittenReport =
  | {
      task: TrackedTask;
      isNew: boolean;
      /** True if it had been applied before, so that nothing was written. */
      isRepeated: boolean;
      /** The task before it; undefined for a new one. */
      before: TrackedTask | undefined;
      /** Number of bytes that were added to the log. */
      loggedBytes: number;
    }
  | ApiError;

/** A task on its way through a group of reports: as it is stored, and as it has become. */
interface Tracked {
  stored: StoredTask | undefined;
  lease: Lease | undefined;
  task: TrackedTask | undefined;
  /** The unit that the task is in, and all above it. */
  path: readonly string[];
  /** Pieces that are added to its log. */
  logged: StoredPiece[];
  /** States in between, where reports of this group have changed its status more than once. */
  passed: TaskRecord[];
}

/** Tasks that are read, changed one report after the other, and written together. */
export interface TaskGroup {
  get(id: string): Tracked;
  /** A unit and all above it; nothing where there is no such unit. */
  pathOf(unitId: string): readonly string[];
  /** Pieces that are added to the logs of its tasks. */
  logged(): AddedPiece[];
  save(now: number): Promise<void>;
}

export interface WriteOptions {
  now: number;
  taskLogLimit: number;
  follow: FollowTasks;
}

/**
 * Writes reports together, in their order. Each is accepted or refused by itself, and everything that they change is one
 * statement per table, as far as possible.
 */
export async function writeReports(
  db: Queries,
  reports: readonly TaskReport[],
  { now, taskLogLimit, follow }: WriteOptions,
): Promise<WrittenReport[]> {
  const group = await readGroup(
    db,
    reports.map(({ taskId }) => taskId),
    reports.flatMap((report) => (report.operation === "create" ? [report.task.organizational_unit_id] : [])),
    follow,
  );
  const follower = await readFollowers(
    db,
    reports.flatMap((report) => reportedWork(group, report) ?? []),
  );
  const written = reports.map((report) => write(group, report, follower, now));
  await group.save(now);
  await addToLogs(db, group.logged(), taskLogLimit);
  return written;
}

/** The work that a report says a task without a monitor to be a run of; undefined if it says nothing of that. */
function reportedWork(group: TaskGroup, report: TaskReport): FollowedWork | undefined {
  if (report.operation === "create") {
    return followedWork({ ...report.task, primary_entity: entityOf(report.task.primary_entity) });
  }
  const task = group.get(report.taskId).task?.record;
  if (report.operation === "log" || !report.body.primary_entity || !task) return undefined;
  return followedWork({ ...task, primary_entity: entityOf(report.body.primary_entity) });
}

function write(group: TaskGroup, report: TaskReport, follower: FindFollower, now: number): WrittenReport {
  try {
    const monitorId = follower(reportedWork(group, report));
    const followed = monitorId === undefined ? {} : { monitor_id: monitorId };
    return report.operation === "create"
      ? create(group, { ...report, task: { ...report.task, ...followed } }, now)
      : change(group, report, followed, now);
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

function create(
  group: TaskGroup,
  { task: given, reporter }: TaskReport & { operation: "create" },
  now: number,
): WrittenReport {
  const tracked = group.get(given.id);
  if (tracked.task) {
    requireSameTask(tracked.task, given, reporter.holder);
    return { task: tracked.task, isNew: false, isRepeated: true, before: tracked.task, loggedBytes: 0 };
  }
  if (group.pathOf(given.organizational_unit_id).length === 0) {
    throw refuse("unitForbidden", "This organizational unit does not exist any more. Name another one.");
  }
  tracked.path = group.pathOf(given.organizational_unit_id);
  return accept(tracked, createTask(given, reporter.holder, now), given.log, { isNew: true, isRepeated: false });
}

function change(
  group: TaskGroup,
  report: Exclude<TaskReport, { operation: "create" }>,
  followed: Pick<TaskRecord, "monitor_id">,
  now: number,
): WrittenReport {
  const { taskId, reporter, unitId } = report;
  const tracked = group.get(taskId);
  if (!tracked.task || !tracked.path.includes(unitId))
    throw refuse("itemUnknown", "There is no such task, or you may not see it.");
  const before = tracked.task;
  const { task, refusal } =
    report.operation === "log"
      ? acceptLog(before, report.attempt, reporter, now)
      : applyReport(before, report.body, reporter, now);
  if (refusal) {
    tracked.task = task;
    return refusal;
  }
  // When a runner was last heard of is noted only together with something else: the lease, which decides, is exact.
  const heard = isChanged(before.record, task.record) ? { last_heartbeat_timestamp: formatTimestamp(now) } : {};
  const isRepeated = task === before;
  const piece = report.operation === "log" ? report.piece : isRepeated ? undefined : report.body.log;
  const record = isRepeated ? task.record : { ...task.record, ...heard, ...followed };
  return accept(tracked, { ...task, record }, piece, { isNew: false, isRepeated });
}

/** Takes what a report says, with the piece of a log that comes with it. A piece with a gap before it refuses all of it. */
function accept(
  tracked: Tracked,
  task: TrackedTask,
  piece: LogPiece | undefined,
  how: { isNew: boolean; isRepeated: boolean },
): WrittenReport {
  const before = tracked.task;
  notePassed(tracked, task);
  const added = piece && task.lease && newPart(piece, task.lease.log_size);
  if (!added || !task.lease) {
    tracked.task = task;
    return { task, ...how, before, loggedBytes: 0 };
  }
  tracked.logged.push(added);
  tracked.task = { record: { ...task.record, hasLog: true }, lease: { ...task.lease, log_size: added.ends_at } };
  return { task: tracked.task, ...how, before, loggedBytes: added.ends_at - added.starts_at };
}

/** Notes what a task was until now, if this group has made it so and it has another status from now on. */
function notePassed({ stored, task: until, passed }: Tracked, { record }: TrackedTask): void {
  if (!until || until.record === stored?.before || until.record.status === record.status) return;
  passed.push(until.record);
}

/** Reads tasks, and keeps others from changing them meanwhile. */
export async function readGroup(
  db: Queries,
  taskIds: readonly string[],
  newUnits: readonly string[],
  follow: FollowTasks,
): Promise<TaskGroup> {
  const ids = [...new Set(taskIds)];
  const storable = ids.filter(canBeStored);
  const leases = await lockLeases(db, storable);
  const likelyUnits = [...leases.values()].map((lease) => lease.organizational_unit_id);
  const [rows, paths] = await Promise.all([
    findTasks(db, storable, leases),
    findPaths(db, [...new Set([...newUnits, ...likelyUnits])]),
  ]);
  const unleased = rows.filter(({ id }) => !leases.has(id)).map(({ id }) => id);
  if (unleased.length > 0) {
    // Another report may have added a task since its lease was looked for.
    for (const [id, lease] of await lockLeases(db, unleased)) leases.set(id, lease);
    const leased = rows.filter(({ id }) => !unleased.includes(id));
    rows.splice(0, rows.length, ...leased, ...(await findTasks(db, unleased, leases)));
  }
  const furtherUnits = new Set(rows.map((row) => row.organizational_unit_id).filter((unit) => !paths.has(unit)));
  for (const [unit, path] of await findPaths(db, [...furtherUnits])) paths.set(unit, path);
  const group = new Map(
    ids.map((id): [string, Tracked] => [
      id,
      { stored: undefined, lease: undefined, task: undefined, path: [], logged: [], passed: [] },
    ]),
  );
  for (const row of rows) {
    const record = readDocument(row.document);
    const lease = leases.get(row.id);
    group.set(row.id, {
      stored: { seq: row.seq, before: record, entityKey: row.entity_key },
      lease,
      task: { record, lease },
      path: paths.get(row.organizational_unit_id) ?? [],
      logged: [],
      passed: [],
    });
  }
  return {
    get(id) {
      const tracked = group.get(id);
      if (!tracked) throw new Error(`The task ${id} was not read.`);
      return tracked;
    },
    pathOf: (unitId) => paths.get(unitId) ?? [],
    logged: () =>
      [...group.values()].flatMap(({ task, logged }) =>
        logged.map((piece) => ({
          ...piece,
          taskId: task?.record.id ?? "",
          createdAt: Date.parse(task?.record.created_timestamp ?? ""),
        })),
      ),
    async save(now) {
      const added: TaskRecord[] = [];
      const changed: TaskUpdate[] = [];
      const [newLeases, changedLeases]: [Lease[], Lease[]] = [[], []];
      const passed = new Map<string, TaskRecord[]>();
      for (const { stored, lease, task, passed: states } of group.values()) {
        if (!task) continue;
        if (states.length > 0) passed.set(task.record.id, states);
        if (task.lease && task.lease !== lease) (lease ? changedLeases : newLeases).push(task.lease);
        if (!stored) added.push(task.record);
        else if (isChanged(stored.before, task.record)) changed.push({ ...stored, after: task.record });
      }
      // First these: if the same new task is reported twice at once, the second one is refused its lease, and is retried.
      await addLeases(db, newLeases);
      await saveTasks(db, added, changed, follow, now, passed);
      await saveLeases(db, changedLeases);
    },
  };
}

function isChanged(before: TaskRecord, after: TaskRecord): boolean {
  return before !== after && writeDocument(before) !== writeDocument(after);
}

const pathsOf = prepareQuery<{ units: ListValue }, { unit_id: string; ancestor_id: string }>(
  (slot, db) => sql<{ unit_id: string; ancestor_id: string }>`
    select unit_id, ancestor_id from organizational_unit_paths where unit_id ${isInList(db, slot("units"))}`,
);

/** The ids of units with those of all above them. */
async function findPaths(db: Queries, unitIds: readonly string[]): Promise<Map<string, string[]>> {
  if (unitIds.length === 0) return new Map();
  const rows = await pathsOf.run(db, { units: asListValue(db, unitIds) });
  const paths = new Map<string, string[]>();
  for (const { unit_id, ancestor_id } of rows) paths.set(unit_id, [...(paths.get(unit_id) ?? []), ancestor_id]);
  return paths;
}
