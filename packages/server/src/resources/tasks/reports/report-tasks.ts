import { ApiError } from "@holdfast/api/conventions/api-error";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { canonicalId, parseUuid } from "@holdfast/api/conventions/uuid";
import { type appendedLog, appendTaskLogBody } from "@holdfast/api/resources/task-logs";
import { createTaskBody, type UpdateTaskBody, updateTaskBody } from "@holdfast/api/resources/task-reports";
import { type heartbeat, type ReportResult, reportedTask, type TaskLease } from "@holdfast/api/resources/tasks";
import type { z } from "zod";
import type { Database } from "../../../database/database";
import { authorize } from "../../../operations/authorize";
import { checkBody } from "../../../operations/check-body";
import { variableOf } from "../../../operations/path-variables";
import { type ReportCall, type Reported, type ReportImplementation, writeReport } from "../../../operations/report";
import { createReportBatcher } from "../../../operations/report-batcher";
import type { Recorder } from "../../../telemetry/registry";
import type { HeartbeatBatcher } from "../leases/heartbeat-batcher";
import { type HeartbeatLease, isOpen, presentLease } from "../leases/lease";
import type { FindRenewable } from "../leases/read-leases";
import { isHeartbeat, type Reporter, type TrackedTask } from "../lifecycle";
import { requireLogText } from "../logs/log-text";
import { writeDocument } from "../record";
import { countRequests, countWritten, kindOfReport, type ReportKind } from "./count-reports";
import type { FollowTasks } from "./follow-tasks";
import type { LongPolls } from "./long-polls";
import { requireTaskMonitor, type TaskMonitor } from "./monitor-of-task";
import { prepareCreate, prepareUpdate } from "./prepare-report";
import { orRefusal, readBatch } from "./read-batch";
import { type TaskReport, type WrittenReport, writeReports } from "./write-reports";

/** Parts that reports on tasks need. */
export interface TaskReportParts {
  database: Database;
  clock: () => number;
  renewals: HeartbeatBatcher;
  held: LongPolls;
  findRenewable: FindRenewable;
  /** Maximum number of bytes of each log that are kept. */
  taskLogLimit: number;
  /** Length of a second of a lease, in milliseconds. Only tests have shorter ones. */
  leaseSecondMs: number;
  metrics: Recorder;
}

/** Where writing a group took so long, runners are asked to report half as often, in milliseconds. */
const busyGroup = 1_000;

/** The operations with which runners report tasks. */
export function taskReports(parts: TaskReportParts, follow: FollowTasks) {
  const { database, clock, renewals, held, findRenewable, leaseSecondMs, taskLogLimit, metrics } = parts;
  const queue = createReportBatcher<TaskReport, WrittenReport>(database, (db, reports) =>
    writeReports(db, reports, { now: clock(), taskLogLimit, follow }),
  );
  const onCommitted = (written: readonly WrittenReport[]) => countWritten(metrics, written);
  const pace = () => 1 + Math.min(1, queue.lastTook() / busyGroup);
  const present = (lease: HeartbeatLease | undefined): TaskLease | null => presentLease(lease, pace, clock());
  const presentTask = ({ record, lease }: TrackedTask): string =>
    `${writeDocument(record).slice(0, -1)},"lease":${JSON.stringify(present(lease))}}`;

  async function create(call: ReportCall, sent: object): Promise<Reported> {
    const report = await createReport(database, call, checkBody(createTaskBody, sent, reportedTask));
    return writeReport(database, queue, call, {
      items: [report],
      canWait: false,
      answer([written]) {
        const { task, isNew } = requireAccepted(written);
        if (!isNew) renew(task);
        const body = presentTask(task);
        return isNew ? { body, location: `/tasks/${task.record.id}` } : { body, isRepeated: true };
      },
      onCommitted,
    });
  }

  async function update(call: ReportCall, sent: object): Promise<Reported> {
    const taskId = canonicalId(variableOf(call.variables, "task_id"));
    const body = prepareUpdate(checkBody(updateTaskBody, sent, reportedTask));
    return (isHeartbeat(body) && (await beat(call, taskId, body))) || writeUpdate(call, taskId, body);
  }

  function writeUpdate(call: ReportCall, taskId: string, body: UpdateTaskBody): Promise<Reported> {
    return writeReport(database, queue, call, {
      items: [{ operation: "update", taskId, body, reporter: reporterOf(call), unitId: call.scope.unitId }],
      canWait: isProgress(body),
      answer([written]) {
        const { task, isRepeated } = requireAccepted(written);
        if (isRepeated) renew(task);
        return { body: presentTask(task) };
      },
      onCommitted,
    });
  }

  async function appendLog(call: ReportCall, sent: object): Promise<Reported> {
    const taskId = canonicalId(variableOf(call.variables, "task_id"));
    return writeReport(database, queue, call, {
      items: [logReport(call, checkBody(appendTaskLogBody, sent), taskId)],
      canWait: false,
      answer([written]) {
        const { task } = requireAccepted(written);
        return { body: JSON.stringify({ log_size: task.lease?.log_size ?? 0 } satisfies z.infer<typeof appendedLog>) };
      },
      onCommitted,
    });
  }

  /** Answers a heartbeat that says nothing new; undefined where it does more than to renew the lease. */
  async function beat(call: ReportCall, taskId: string, body: UpdateTaskBody): Promise<Reported | undefined> {
    const heard = { taskId, unitId: call.scope.unitId, reporter: reporterOf(call), attempt: body.attempt };
    const lease = await findRenewable(heard);
    if (!lease) return undefined;
    renewals.note(taskId);
    const seconds = Math.min(body.wait_seconds ?? 0, lease.lease_seconds / 6);
    if (seconds === 0 || lease.state !== "in_progress") return { body: presentBeat(lease) };
    await call.hold(seconds, () => held.wait(taskId, seconds * leaseSecondMs, call.signal, sharersOf(call)));
    const after = await findRenewable(heard);
    return after && { body: presentBeat(after) };
  }

  function presentBeat(lease: HeartbeatLease): string {
    const status = lease.state === "queued" || lease.state === "aborting" ? lease.state : "in_progress";
    return JSON.stringify({ id: lease.task_id, status, lease: present(lease) } satisfies z.infer<typeof heartbeat>);
  }

  async function batch(call: ReportCall, sent: object): Promise<Reported> {
    const prepared: { taskId: string; kind: ReportKind; report: TaskReport | ApiError }[] = [];
    for (const { operation, taskId, body } of readBatch(sent)) {
      const report = await orRefusal(async () =>
        operation === "create"
          ? createReport(database, call, checkBody(createTaskBody, body, reportedTask), taskId)
          : operation === "update"
            ? updateReport(call, checkBody(updateTaskBody, body, reportedTask), taskId)
            : logReport(call, checkBody(appendTaskLogBody, body), taskId),
      );
      prepared.push({ taskId, kind: kindOfReport(operation, body), report });
    }
    const items = prepared.flatMap(({ report }) => (report instanceof ApiError ? [] : [report]));
    const count = (resultOf: (report: TaskReport) => "accepted" | "refused" | "failed") => {
      for (const { kind, report } of prepared) {
        const result = report instanceof ApiError ? "refused" : resultOf(report);
        metrics.add("holdfast_reports_total", { kind, result });
      }
    };
    const writing = writeReport(database, queue, call, {
      items,
      canWait: items.length > 0 && items.every((item) => item.operation === "update" && isProgress(item.body)),
      answer(written) {
        const byReport = new Map(items.map((item, index) => [item, written[index]]));
        const results = prepared.map(({ taskId, report }) =>
          report instanceof ApiError ? presentRefusal(taskId, report) : presentResult(report, byReport.get(report)),
        );
        return { body: JSON.stringify({ results }) };
      },
      onCommitted(written) {
        const refused = new Set(items.filter((_, index) => written[index] instanceof ApiError));
        count((report) => (refused.has(report) ? "refused" : "accepted"));
        onCommitted(written);
      },
    });
    return writing.catch((error) => {
      count(() => "failed");
      throw error;
    });
  }

  function presentResult({ taskId, operation }: TaskReport, written: WrittenReport | undefined): ReportResult {
    if (written instanceof ApiError) return presentRefusal(taskId, written);
    const { task, isNew, isRepeated } = requireAccepted(written);
    if (isRepeated) renew(task);
    const answer = { task_id: task.record.id, status: isNew ? 201 : 200 };
    if (operation === "log") return { ...answer, log_size: task.lease?.log_size ?? 0 };
    return { ...answer, lease: present(task.lease) };
  }

  /** Renews the lease: a report that says nothing new still says that the runner lives. */
  function renew({ lease }: TrackedTask): void {
    if (lease && isOpen(lease)) renewals.note(lease.task_id);
  }

  return {
    "create-task": countRequests(metrics, "create", create),
    "update-task": countRequests(metrics, "update", update),
    "append-task-log": countRequests(metrics, "log", appendLog),
    "report-tasks": countRequests(metrics, "batch", batch),
  } satisfies Record<string, ReportImplementation>;
}

async function createReport(
  database: Pick<Database, "snapshot">,
  call: ReportCall,
  body: z.infer<typeof createTaskBody>,
  id?: string,
): Promise<TaskReport> {
  const monitor = await monitorOf(database, call, body);
  const task = prepareCreate(body, call.scope.unitId, { id, monitor });
  const unitId = task.organizational_unit_id;
  if (unitId !== call.scope.unitId) {
    authorize({ permission: "tasks:report" }, call.caller, await call.permissionsIn(unitId));
  }
  return { operation: "create", taskId: task.id, task, reporter: reporterOf(call), unitId };
}

/** The monitor that a body names. It is looked for only in a unit in which the caller may report. */
async function monitorOf(
  database: Pick<Database, "snapshot">,
  { caller, scope, permissionsIn }: ReportCall,
  { monitor_id: named, organizational_unit_id: given }: z.infer<typeof createTaskBody>,
): Promise<TaskMonitor | undefined> {
  if (named === undefined) return undefined;
  const unitId = (given === undefined ? undefined : parseUuid(given)) ?? scope.unitId;
  if (unitId !== scope.unitId) authorize({ permission: "tasks:report" }, caller, await permissionsIn(unitId));
  return database.snapshot((db) => requireTaskMonitor(db, unitId, named));
}

async function updateReport(call: ReportCall, body: UpdateTaskBody, taskId: string): Promise<TaskReport> {
  const { unitId } = call.scope;
  return { operation: "update", taskId, body: prepareUpdate(body), reporter: reporterOf(call), unitId };
}

function logReport(call: ReportCall, body: z.infer<typeof appendTaskLogBody>, taskId: string): TaskReport {
  const { attempt, ...piece } = body;
  requireLogText(piece, "/text");
  return { operation: "log", taskId, attempt, piece, reporter: reporterOf(call), unitId: call.scope.unitId };
}

function presentRefusal(taskId: string, refusal: ApiError): ReportResult {
  const size = refusal.headers["Upload-Offset"];
  const known = size === undefined ? {} : { log_size: Number(size) };
  return { task_id: taskId, status: refusal.status, ...known, ...refusal.body };
}

function reporterOf({ caller, permissions }: ReportCall): Reporter {
  return { holder: caller.limitedAs, mayRead: permissions.has("tasks:read") };
}

/** True if a report begins and ends nothing. */
function isProgress({ status, claim_id }: UpdateTaskBody): boolean {
  return status === undefined && claim_id === undefined;
}

function requireAccepted(written: WrittenReport | undefined): Exclude<WrittenReport, ApiError> {
  if (written === undefined) throw new Error("A report was written without a result.");
  if (written instanceof ApiError) throw written;
  return written;
}

/** Who holds a heartbeat back: the person or service, and its unit, unless that is the root. */
function sharersOf({ caller }: ReportCall): string[] {
  return caller.unitId === rootUnitId ? [caller.limitedAs] : [caller.limitedAs, caller.unitId];
}
