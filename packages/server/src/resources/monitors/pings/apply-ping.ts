import { createHash, randomUUID } from "node:crypto";
import { ApiError } from "@holdfast/api/conventions/api-error";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { LogPiece } from "@holdfast/api/resources/task-logs";
import { type TaskCategory, taskCategories } from "@holdfast/api/resources/task-words";
import type { Queries } from "../../../database/database";
import type { Sealer } from "../../../secrets/seal";
import { noEndSignal, pingHolder } from "../../tasks/lifecycle";
import type { FollowTasks } from "../../tasks/reports/follow-tasks";
import { newTaskId } from "../../tasks/reports/prepare-report";
import { type TaskReport, type WrittenReport, writeReports } from "../../tasks/reports/write-reports";
import type { Monitor } from "../state";
import { addMonitor, defaultChoices } from "../store";
import { findPinged } from "./find-pinged";
import { judgePing } from "./judge-ping";
import { nameOfSignal, nothingToPing, type Ping } from "./ping";
import { lastCharacterOfLog, listRuns } from "./ping-runs";
import { type PingRun, resolvePing } from "./resolve-ping";

/** A ping with its body, as text that can be stored. */
export interface ReceivedPing extends Ping {
  body: string;
}

/** Result of a ping. */
export interface AppliedPing {
  monitorId: string;
  /** True if it made its monitor. */
  isCreated: boolean;
  written: WrittenReport[];
}

export interface PingParts {
  sealer: Sealer;
  now: number;
  taskLogLimit: number;
  follow: FollowTasks;
}

/** Does what a ping says, in a transaction. A refusal is given, not thrown, because other pings share the transaction. */
export async function applyPing(db: Queries, ping: ReceivedPing, parts: PingParts): Promise<AppliedPing | ApiError> {
  try {
    const { monitor, isCreated } = await requireMonitor(db, ping, parts);
    const written = await report(db, monitor, ping, parts);
    await db.updateTable("monitors").set({ last_ping_at: parts.now }).where("id", "=", monitor.id).execute();
    return { monitorId: monitor.id, isCreated, written };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The monitor that a ping reaches, which it makes where it may. */
async function requireMonitor(
  db: Queries,
  { target }: Ping,
  { sealer, now }: PingParts,
): Promise<{ monitor: Monitor; isCreated: boolean }> {
  const { monitor, key } = await findPinged(db, target, now);
  if (monitor) return { monitor, isCreated: false };
  if ("urlHash" in target || !target.mayCreate || key?.may_create !== 1) throw nothingToPing();
  const { organizational_unit_id, category, type, default_period_seconds: period } = key;
  const { slug } = target;
  const schedule = period === null ? null : JSON.stringify({ period_seconds: period });
  const made = {
    ...defaultChoices,
    id: randomUUID(),
    organizational_unit_id,
    name: slug,
    slug,
    category,
    type,
    schedule,
  };
  await addMonitor(db, sealer, made, now);
  const row = await db.selectFrom("monitors").selectAll().where("id", "=", made.id).executeTakeFirstOrThrow();
  return { monitor: row, isCreated: true };
}

/** Reports a run as its monitor. */
async function report(db: Queries, monitor: Monitor, ping: ReceivedPing, parts: PingParts): Promise<WrittenReport[]> {
  const { now } = parts;
  const { signal, rid, body } = ping;
  const action = resolvePing(await listRuns(db, monitor.id, rid), ping, now);
  if (action.act === "nothing") return [];
  const run = action.act === "begin" ? undefined : action.run;
  const taskId = run?.task_id ?? newTaskId();
  const reports: TaskReport[] = action.act === "begin" && action.loses ? [loss(monitor, action.loses)] : [];
  const log = await pieceOf(db, run, body);
  if (signal === "log") {
    if (log) reports.push({ ...from(monitor, taskId), operation: "log", attempt: undefined, piece: log });
    else if (run?.state === "in_progress") reports.push({ ...from(monitor, taskId), operation: "update", body: {} });
  } else {
    const ending = signal === "start" ? { status: "in_progress" as const } : judgePing(monitor, signal, body);
    const said = { ...ending, ...(log ? { log } : {}) };
    reports.push(
      run
        ? { ...from(monitor, taskId), operation: "update", body: said }
        : { ...from(monitor, taskId), operation: "create", task: { ...newTaskOf(monitor, taskId), ...said } },
    );
  }
  const written = await writeReports(db, reports, parts);
  const refusal = written.find((one) => one instanceof ApiError);
  if (refusal) throw refusal;
  await note(db, monitor, ping, { run, taskId, now });
  return written;
}

/** Who reports: the monitor. Its unit may have moved while the task did, so the root is looked from. */
function from(monitor: Monitor, taskId: string) {
  return { taskId, unitId: rootUnitId, reporter: { holder: pingHolder(monitor.id), mayRead: false } };
}

/** Ends a run whose end was not pinged before the next one began. */
function loss(monitor: Monitor, { task_id }: PingRun): TaskReport {
  const error = noEndSignal("The next run began before a ping had said how this one ended.");
  return { ...from(monitor, task_id), operation: "update", body: { status: "failed", outcome: "lost", error } };
}

function newTaskOf(monitor: Monitor, id: string) {
  return {
    id,
    organizational_unit_id: monitor.organizational_unit_id,
    category: categoryOf(monitor),
    type: monitor.type,
    operation: monitor.operation ?? monitor.slug,
    name: monitor.name,
    primary_entity: JSON.parse(monitor.primary_entity),
    monitor_id: monitor.id,
    lease_seconds: monitor.run_limit_seconds,
    can_abort: false,
  };
}

function categoryOf({ category }: Monitor): TaskCategory {
  return taskCategories.find((one) => one === category) ?? "backup";
}

/** Part of a body that is added to the log of a run: all of it, or only what follows the body of the ping before. */
async function pieceOf(db: Queries, run: PingRun | undefined, body: string): Promise<LogPiece | undefined> {
  if (body === "") return undefined;
  if (!run) return { offset: 0, text: body };
  const bytes = Buffer.from(body);
  const isLonger = run.body_hash !== null && hashOf(bytes.subarray(0, run.body_bytes)) === run.body_hash;
  const rest = isLonger ? bytes.toString("utf8", run.body_bytes) : await onOwnLine(db, run, body);
  return rest === "" ? undefined : { offset: run.logSize, text: rest };
}

/** A body begins on a line of its own. */
async function onOwnLine(db: Queries, run: PingRun, body: string): Promise<string> {
  if (run.logSize === 0) return body;
  return (await lastCharacterOfLog(db, run.task_id)) === "\n" ? body : `\n${body}`;
}

/** Remembers what the next ping is compared with. */
async function note(
  db: Queries,
  monitor: Monitor,
  { signal, rid, body }: ReceivedPing,
  { run, taskId, now }: { run: PingRun | undefined; taskId: string; now: number },
): Promise<void> {
  const isEnd = signal !== "start" && signal !== "log";
  const end = isEnd ? { ended_at: now, end_signal: nameOfSignal(signal) } : {};
  const bytes = Buffer.from(body);
  const last = body === "" ? {} : { body_bytes: bytes.length, body_hash: hashOf(bytes) };
  if (!run) {
    const begun = { task_id: taskId, monitor_id: monitor.id, rid, begun_at: now };
    await db
      .insertInto("ping_runs")
      .values({ ...begun, ended_at: null, end_signal: null, body_bytes: 0, body_hash: null, ...end, ...last })
      .execute();
    return;
  }
  const changes = { ...end, ...last };
  if (Object.keys(changes).length === 0) return;
  await db.updateTable("ping_runs").set(changes).where("task_id", "=", taskId).execute();
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64url");
}
