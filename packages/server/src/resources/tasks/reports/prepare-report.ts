import { randomBytes } from "node:crypto";
import { lineExpectation } from "@holdfast/api/conventions/body-fields";
import { cleanLine } from "@holdfast/api/conventions/clean-line";
import { textLimits } from "@holdfast/api/conventions/text-limits";
import { FieldChecks } from "@holdfast/api/conventions/texts";
import { parseUuid, uuidV7 } from "@holdfast/api/conventions/uuid";
import type { CreateTaskBody, UpdateTaskBody } from "@holdfast/api/resources/task-reports";
import { outcomesOf, taskCategories } from "@holdfast/api/resources/task-words";
import { isFinished, isHeartbeat, type NewTask } from "../lifecycle";
import { requireLogText } from "../logs/log-text";
import type { TaskMonitor } from "./monitor-of-task";

type AnyBody = CreateTaskBody | UpdateTaskBody;

/** Facts about a new task beside its body: the id that a batch names, and the monitor that the body names. */
interface Known {
  id?: string | undefined;
  monitor?: TaskMonitor | undefined;
}

/** Checks what the declaration of a new task cannot say, and completes it. Fields are named as they lie in the body. */
export function prepareCreate(sent: CreateTaskBody, unitId: string, { id, monitor }: Known = {}): NewTask {
  const checks = new FieldChecks();
  const body = asRunOf(monitor, sent);
  const given = clean(body, checks);
  const status = body.status ?? "in_progress";
  const ownId = readUuid(checks, "id", body.id);
  const isOther = ownId === undefined ? body.id === undefined : ownId !== id;
  if (id !== undefined && isOther) checks.fail("id", "the same as task_id");
  checkEnd(body, status, checks);
  if (body.duration_ms !== undefined && !isFinished(status)) {
    checks.fail("duration_ms", "left out unless the task has ended");
  }
  if (body.start_by_seconds !== undefined && status !== "queued") {
    checks.fail("start_by_seconds", "left out unless the task is queued");
  }
  if (body.category === undefined) checks.fail("category", `one of ${taskCategories.join(", ")}`);
  if (body.type === undefined) checks.fail("type", lineExpectation(textLimits.taskType));
  const prepared: NewTask = {
    ...given,
    id: ownId ?? newTaskId(),
    category: body.category ?? "backup",
    type: body.type === undefined ? "" : checks.line("type", body.type, textLimits.taskType),
    organizational_unit_id: readUuid(checks, "organizational_unit_id", body.organizational_unit_id) ?? unitId,
    ...(body.name === undefined ? {} : { name: checks.line("name", body.name, textLimits.name) }),
    ...(body.operation === undefined
      ? {}
      : { operation: checks.line("operation", body.operation, textLimits.operation) }),
    ...(body.runner === undefined
      ? {}
      : {
          runner: {
            host: checks.line(["runner", "host"], body.runner.host, textLimits.runnerHost),
            version: checks.line(["runner", "version"], body.runner.version, textLimits.runnerVersion),
          },
        }),
  };
  checks.finish();
  return prepared;
}

/** Fills the fields that a body leaves out with those of its monitor, if the task is a run of one. */
function asRunOf(monitor: TaskMonitor | undefined, body: CreateTaskBody): CreateTaskBody {
  if (!monitor) return body;
  const { type, primary_entity } = monitor;
  const category = taskCategories.find((one) => one === monitor.category);
  const own = {
    category,
    type,
    operation: monitor.operation ?? monitor.slug,
    primary_entity: JSON.parse(primary_entity),
  };
  return { ...own, ...body, monitor_id: monitor.id };
}

/** Checks what the declaration of an update cannot say. */
export function prepareUpdate(body: UpdateTaskBody): UpdateTaskBody {
  const checks = new FieldChecks();
  const given = clean(body, checks);
  const { status, sequence, claim_id } = body;
  checkEnd(body, status, checks);
  if (status === "aborting") checks.fail("status", "sent alone, or with a reason, where it asks for an abort");
  if (body.reason !== undefined) checks.fail("reason", "left out unless the status is aborting");
  if (body.abort !== undefined && (status === undefined || !isFinished(status))) {
    checks.fail("abort", "left out unless the status is an end");
  }
  const { sequence: _, ...rest } = body;
  if (sequence !== undefined && isHeartbeat(rest)) checks.fail("sequence", "left out of a heartbeat");
  const claim = readUuid(checks, "claim_id", claim_id);
  checks.finish();
  return claim === undefined ? given : { ...given, claim_id: claim };
}

/** Checks fields that only an end can have, and those that it must have. */
function checkEnd({ outcome, error }: AnyBody, status: AnyBody["status"], checks: FieldChecks): void {
  if (status === undefined || !isFinished(status)) {
    if (outcome !== undefined) checks.fail("outcome", "left out unless the status is an end");
    if (error) checks.fail("error", "left out unless the status is an end");
    return;
  }
  const possible = outcomesOf[status];
  const ended = outcome ?? possible[0];
  if (ended === undefined || !possible.includes(ended)) {
    const named = possible.filter((one) => one !== "expired" && one !== "missed").join(" or ");
    checks.fail("outcome", `${named} for a task that is ${status}`);
  }
  const needsError = status === "failed" || ended === "warning";
  if (needsError && !error) {
    const ending = status === "failed" ? "is failed" : "ended with a warning";
    checks.fail("error", `an object with code and message for a task that ${ending}`);
  }
  if (ended === "success" && error) checks.fail("error", "null for a task whose outcome is success");
}

/** Puts the texts of a report into the form in which they are stored. */
function clean<Body extends AnyBody>(body: Body, checks: FieldChecks): Body {
  const { primary_entity: entity, progress_message: message, error, log } = body;
  if (log) requireLogText(log, "/log/text");
  const line = (text: string) => cleanProgramLine("progress_message", text, textLimits.progressMessage, checks);
  return {
    ...body,
    ...(entity ? { primary_entity: cleanEntity(entity, checks) } : {}),
    ...(message === undefined ? {} : { progress_message: line(message) }),
    ...(error ? { error: { ...error, message: cleanText(error.message), remedy: cleanText(error.remedy) } } : {}),
  };
}

function cleanEntity({ id, type, value }: NonNullable<AnyBody["primary_entity"]>, checks: FieldChecks) {
  const line = (field: string, text: string, maxLength: number) =>
    checks.line(["primary_entity", field], text, maxLength);
  return {
    type: line("type", type, textLimits.entityType),
    value: line("value", value, textLimits.entity),
    ...(id === undefined ? {} : { id: line("id", id, textLimits.entity) }),
  };
}

/** Replaces characters of an engine's text that cannot be shown, such as colours, so that no end is refused for them. */
function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{Cc}\n\t]/gu, "\ufffd");
}

/** The reason for an abort, on one line. */
export function cleanReason(reason: string | undefined): string | null {
  const checks = new FieldChecks();
  const line = cleanProgramLine("reason", reason ?? "", textLimits.abortReason, checks);
  checks.finish();
  return line === "" ? null : line;
}

/** Replaces characters that cannot be shown in a program's line, but nothing is cut off silently. */
function cleanProgramLine(field: string, text: string, maxLength: number, checks: FieldChecks): string {
  if ([...text].length > maxLength) checks.fail(field, `at most ${maxLength} characters`);
  return cleanLine(text, maxLength);
}

function readUuid(checks: FieldChecks, field: string, given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const id = parseUuid(given);
  if (id === undefined) checks.fail(field, "a UUID");
  return id;
}

/** Ids that are made one after another sort so, which keeps new tasks together in the index. */
export function newTaskId(): string {
  const random = randomBytes(10);
  return uuidV7(Date.now(), random.readUInt16BE(0) >> 4, random.readUInt16BE(2) >> 2, random.readUIntBE(4, 6));
}
