import { inspectJson } from "@holdfast/api/conventions/inspect-json";
import { parseJson } from "@holdfast/api/conventions/parse-json";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import { listLimits, textLimits } from "@holdfast/api/conventions/text-limits";
import { formatTimestamp, parseTimestamp } from "@holdfast/api/conventions/timestamp";
import { canonicalId, parseUuid } from "@holdfast/api/conventions/uuid";
import { outcomesOf, taskCategories, taskOutcomes, taskStatuses } from "@holdfast/api/resources/task-words";
import { z } from "zod";
import { isFinished } from "../lifecycle";
import type { TaskRecord } from "../record";
import { newTaskId } from "../reports/prepare-report";

/** A line of an import: a task, or what is wrong with it. */
export type ImportedLine = { task: TaskRecord } | { problem: string };

export interface ImportContext {
  now: number;
  /** The units that there are. */
  unitIds: ReadonlySet<string>;
  /** The monitors that there are. */
  monitorIds: ReadonlySet<string>;
}

const lastMoment = Date.parse("9999-12-31T23:59:59.999Z");

const moment = z
  .string("a timestamp such as 2026-11-01T02:00:00Z")
  .transform((text, context) => {
    const milliseconds = parseTimestamp(text)?.milliseconds;
    if (milliseconds !== undefined && milliseconds >= 0 && milliseconds <= lastMoment) return milliseconds;
    context.addIssue("a timestamp such as 2026-11-01T02:00:00Z, from 1970 to 9999");
    return z.NEVER;
  })
  .nullish();

const text = (maxLength: number) => cleanText(1, maxLength, /\p{Cc}/u, "without control characters");
/** Text that a program prints about its error: it may be empty and go over several lines. */
const saying = cleanText(0, 8192, /[^\P{Cc}\n\t]/u, "without control characters except line breaks");

function cleanText(shortest: number, maxLength: number, forbidden: RegExp, without: string) {
  const expected = `a text of ${shortest} to ${maxLength} characters ${without}`;
  return z
    .string(expected)
    .refine(
      (value) =>
        value.length >= shortest && value.length <= maxLength && !forbidden.test(value) && value.isWellFormed(),
      expected,
    );
}

const attempt = z.int("a whole number from 1").min(1, "a whole number from 1").max(1000, "at most 1000").optional();

const line = z.strictObject(
  {
    id: text(textLimits.id)
      // As the last part of a path these two would lead elsewhere.
      .refine((id) => id !== "." && id !== "..", "an id other than . and ..")
      .transform(canonicalId)
      .optional(),
    category: z.enum(taskCategories, `one of ${taskCategories.join(", ")}`),
    type: text(128),
    status: z.enum(taskStatuses, `one of ${taskStatuses.join(", ")}`),
    progress_percentage: z
      .int("a whole number from 0 to 100")
      .min(0, "a whole number from 0 to 100")
      .max(100, "a whole number from 0 to 100")
      .optional(),
    created_timestamp: moment,
    start_timestamp: moment,
    end_timestamp: moment,
    organizational_unit_id: z
      .string("a UUID")
      .transform((value, context) => {
        const id = parseUuid(value);
        if (id !== undefined) return id;
        context.addIssue("a UUID");
        return z.NEVER;
      })
      .optional(),
    primary_entity: z
      .strictObject(
        { id: text(1024), type: text(128), value: text(1024) },
        "an object with id, type and value, or null",
      )
      .nullish(),
    outcome: z.enum(taskOutcomes, `one of ${taskOutcomes.join(", ")}, or null`).nullish(),
    error: z
      .strictObject(
        { code: text(128), message: saying, remedy: saying },
        "an object with code, message and remedy, or null",
      )
      .nullish(),
    is_abortable: z.boolean("true or false").optional(),
    last_heartbeat_timestamp: moment,
    last_progress_timestamp: moment,
    name: text(textLimits.name).optional(),
    operation: text(textLimits.operation).optional(),
    progress_message: text(textLimits.progressMessage).optional(),
    attempt,
    monitor_id: text(textLimits.id).transform(canonicalId).optional(),
    runner: z
      .strictObject(
        { host: text(textLimits.runnerHost), version: text(textLimits.runnerVersion) },
        "an object with host and version",
      )
      .optional(),
    received_timestamp: moment,
    revised_timestamp: moment,
    abort: z
      .strictObject(
        {
          requested_timestamp: moment,
          requested_by: text(textLimits.id).nullish(),
          reason: text(textLimits.abortReason).nullish(),
          signals: z.array(text(textLimits.signal), "a list of signals").max(listLimits.signals).optional(),
          process_tree_ended: z.boolean("true or false").optional(),
        },
        "an object as the API shows it",
      )
      .optional(),
    late_report: z
      .strictObject(
        { attempt: attempt.unwrap(), status: z.enum(taskStatuses), received_timestamp: moment.unwrap().unwrap() },
        "an object as the API shows it",
      )
      .optional(),
    // So that what the API gave can be imported as it is. An imported task has no runner that could be silent.
    liveness: z.unknown().optional(),
    lease: z.unknown().optional(),
    _links: z.unknown().optional(),
  },
  "one JSON object",
);

type Line = z.infer<typeof line>;

/** Reads one line of an import. The database checks whether its id exists. */
export function readImportedLine(json: string, context: ImportContext): ImportedLine {
  const value = parseJson(json);
  if (value === undefined) return { problem: "this is not JSON: write one task as one JSON object on one line" };
  const parsed = line.safeParse(value);
  if (!parsed.success) return { problem: parsed.error.issues.map(describe).join("; ") };
  const twice = findRepeatedField(json, value);
  if (twice !== undefined) return { problem: `the field ${JSON.stringify(twice)} is there twice` };
  const task = completeTask(parsed.data, context.now);
  const problem = findContradiction(task, context);
  return problem === undefined ? { task } : { problem };
}

function describe({ path, message, ...issue }: z.core.$ZodIssue): string {
  const field = path.join(".");
  if (issue.code === "unrecognized_keys") {
    const names = issue.keys.map((key) => JSON.stringify(field === "" ? key : `${field}.${key}`)).join(", ");
    return `there is no field ${names}`;
  }
  return field === "" ? `a line has to be ${message}` : `${field} has to be ${message}`;
}

/** A colon follows every field: as many of them as there are fields, and a closer look, which takes time, is needless. */
function findRepeatedField(json: string, value: unknown): string | undefined {
  if (json.match(/"\s*:/g)?.length === countFields(value)) return undefined;
  return inspectJson(json).duplicatePath?.join(".");
}

function countFields(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const values = Object.values(value);
  let count = Array.isArray(value) ? 0 : values.length;
  for (const inner of values) count += countFields(inner);
  return count;
}

/** Fills in what a line leaves out. */
function completeTask(given: Line, now: number): TaskRecord {
  const { status } = given;
  const [defaultOutcome = null] = outcomesOf[status];
  const created = given.created_timestamp ?? given.start_timestamp ?? given.end_timestamp ?? now;
  const hasBegun = status === "in_progress" || status === "aborting" || status === "completed";
  const start = given.start_timestamp ?? (hasBegun ? Math.min(created, given.end_timestamp ?? created) : null);
  const end = given.end_timestamp ?? (isFinished(status) ? (start ?? created) : null);
  return {
    id: given.id ?? newTaskId(),
    category: given.category,
    status,
    progress_percentage: given.progress_percentage ?? (status === "completed" ? 100 : 0),
    created_timestamp: formatTimestamp(created),
    type: given.type,
    start_timestamp: formatMoment(start),
    end_timestamp: formatMoment(end),
    organizational_unit_id: given.organizational_unit_id ?? rootUnitId,
    primary_entity: given.primary_entity ?? null,
    outcome: given.outcome ?? defaultOutcome,
    error: given.error ?? null,
    // An imported task has no runner that could be asked to abort it.
    is_abortable: given.is_abortable ?? false,
    last_heartbeat_timestamp: formatMoment(given.last_heartbeat_timestamp),
    last_progress_timestamp: formatMoment(given.last_progress_timestamp),
    ...reportedFields(given),
  };
}

/** Fields that only reported tasks have: those fields that are there. */
function reportedFields(given: Line): Partial<TaskRecord> {
  const { name, operation, progress_message, attempt, monitor_id, runner, abort, late_report: late } = given;
  const fields = {
    name,
    operation: operation === given.type ? undefined : operation,
    progress_message,
    attempt,
    monitor_id,
    runner,
    received_timestamp: formatMoment(given.received_timestamp) ?? undefined,
    revised_timestamp: formatMoment(given.revised_timestamp) ?? undefined,
    abort: abort && {
      ...abort,
      requested_timestamp: formatMoment(abort.requested_timestamp),
      requested_by: abort.requested_by ?? null,
      reason: abort.reason ?? null,
    },
    late_report: late && { ...late, received_timestamp: formatTimestamp(late.received_timestamp) },
  };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function findContradiction(task: TaskRecord, { unitIds, monitorIds }: ImportContext): string | undefined {
  const { status, outcome, start_timestamp: start, end_timestamp: end } = task;
  if (!unitIds.has(task.organizational_unit_id)) {
    return `there is no organizational unit ${task.organizational_unit_id}; see: holdfast unit list`;
  }
  if (task.monitor_id !== undefined && !monitorIds.has(task.monitor_id)) {
    return `there is no monitor ${task.monitor_id}; create it first, or leave monitor_id out`;
  }
  if (outcome !== null && !outcomesOf[status].includes(outcome)) {
    const possible = outcomesOf[status].join(" or ") || "null";
    return `outcome has to be ${possible} for a task that is ${status}`;
  }
  if (status === "queued" && start !== null) return "start_timestamp has to be null for a task that is queued";
  if (!isFinished(status) && end !== null) return `end_timestamp has to be null for a task that is ${status}`;
  if (start !== null && end !== null && Date.parse(end) < Date.parse(start)) {
    return "end_timestamp has to be no earlier than start_timestamp";
  }
  if (outcome === "success" && task.error !== null) return "error has to be null for a task whose outcome is success";
  if ((status === "failed" || outcome === "warning") && task.error === null) {
    const which = status === "failed" ? "that is failed" : "whose outcome is warning";
    return `error has to be an object with code, message and remedy for a task ${which}`;
  }
  if (isFinished(status) && task.is_abortable) return `is_abortable has to be false for a task that is ${status}`;
  return undefined;
}

function formatMoment(milliseconds: number | null | undefined): string | null {
  return milliseconds === null || milliseconds === undefined ? null : formatTimestamp(milliseconds);
}
