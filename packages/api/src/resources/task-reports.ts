import { z } from "zod";
import { idField, lineField, listField, textField, wholeNumberField } from "../conventions/body-fields";
import { listLimits, rawLineLength, textLimits } from "../conventions/text-limits";
import { attemptField } from "./task-attempt";
import { appendTaskLogBody, logPiece } from "./task-logs";
import { type TaskStatus, taskCategories, taskOutcomes } from "./task-words";

/** Ranges of the numbers in a report, both ends included, and their defaults. */
export const reportNumbers = {
  sequence: { min: 1, max: Number.MAX_SAFE_INTEGER },
  ageMs: { min: 0, max: 604_800_000 },
  durationMs: { min: 0, max: 2_592_000_000 },
  leaseSeconds: { min: 30, max: 86_400, default: 180 },
  abortGraceSeconds: { min: 5, max: 600, default: 30 },
  startBySeconds: { min: 60, max: 2_592_000, default: 86_400 },
  maxDurationSeconds: { min: 60, max: 2_592_000 },
  stallSeconds: { min: 60, max: 604_800 },
  waitSeconds: { min: 0, max: 30 },
} as const;

function numberField({ min, max }: { min: number; max: number }) {
  return wholeNumberField(min, max);
}

/** A text that a program wrote. Characters that cannot be shown are replaced, not refused. */
function programLine(characters: number) {
  return textField(rawLineLength(characters), `at most ${characters} characters`).meta({ maxLength: characters });
}

const primaryEntity = z.strictObject({
  id: lineField(textLimits.entity).optional().describe("Its id; the value where it is left out."),
  type: lineField(textLimits.entityType).describe("What it is: `host`, `database`, `volume`."),
  value: lineField(textLimits.entity).describe("Its name."),
});

const error = z.strictObject({
  code: textField(textLimits.errorCode, `at most ${textLimits.errorCode} characters`)
    .regex(/^[a-z][a-z0-9_]*$/, "a word of a-z, 0-9 and _ that begins with a letter")
    .describe("A word that programs can compare: `repository_locked`."),
  message: textField(textLimits.errorText).describe("What went wrong, in the words of the engine."),
  remedy: textField(textLimits.errorText).default("").describe("What to do about it."),
});

/** The outcomes that a report can have: `expired` and `missed` are for the service to say. */
const reportedOutcomes = taskOutcomes.filter((outcome) => outcome !== "expired" && outcome !== "missed");

/** Fields that a report can have at any time. */
const anyTime = {
  primary_entity: primaryEntity.optional().describe("What is protected."),
  progress_percentage: wholeNumberField(0, 100)
    .optional()
    .describe("How much is done. It never falls: a lower one is ignored."),
  progress_message: programLine(textLimits.progressMessage).optional().describe("What is being done now."),
  outcome: z.enum(reportedOutcomes).optional().describe("How it ended. It has to fit the status."),
  error: error.nullish().describe("What went wrong: required with `failed` and with the outcome `warning`."),
  attempt: attemptField,
  sequence: numberField(reportNumbers.sequence)
    .optional()
    .describe("The number of the report in its attempt. One that is not above the last is not applied again."),
  age_ms: numberField(reportNumbers.ageMs)
    .optional()
    .describe("How long ago it happened, in milliseconds, by the runner's monotonic clock."),
  lease_seconds: numberField(reportNumbers.leaseSeconds)
    .optional()
    .describe("For how long nothing has to be heard of the runner before the task counts as lost. At first 180."),
  can_abort: z.boolean().optional().describe("Whether the runner stops the work when asked to."),
  abort_grace_seconds: numberField(reportNumbers.abortGraceSeconds)
    .optional()
    .describe("How long it waits for the work to stop before it uses force. At first 30."),
  max_duration_seconds: numberField(reportNumbers.maxDurationSeconds)
    .optional()
    .describe("After so long the task is shown as overdue."),
  log: logPiece.optional(),
  stall_seconds: numberField(reportNumbers.stallSeconds)
    .optional()
    .describe("After so long without progress the task is shown as stalled."),
};

const createdStatuses = ["queued", "in_progress", "completed", "failed", "aborted"] as const satisfies TaskStatus[];
const updatedStatuses = ["in_progress", "aborting", "completed", "failed", "aborted"] as const satisfies TaskStatus[];

export const createTaskBody = z
  .object({
    id: idField().optional().describe("A UUID of the client's own, which makes creating repeatable; else one is made."),
    category: z
      .enum(taskCategories)
      .optional()
      .describe("What kind of task it is. It is required; with `monitor_id` it is the monitor's where it is left out."),
    type: lineField(textLimits.taskType)
      .optional()
      .describe(
        "What exactly it does, `<engine>_<what>`: `restic_backup`. It is required; with `monitor_id` it is the monitor's where it is left out.",
      ),
    monitor_id: textField(textLimits.id)
      .optional()
      .describe("The id or the slug of a monitor in the unit of the task: the task is a run of that monitor."),
    organizational_unit_id: idField().optional().describe("The unit that it belongs to; else the one of the request."),
    name: lineField(textLimits.name).optional().describe("A name for people."),
    operation: lineField(textLimits.operation)
      .optional()
      .describe(
        "The recurring piece of work that it is a run of, the same in every run. Default: the slug of its monitor, or its `type`.",
      ),
    runner: z
      .strictObject({
        host: lineField(textLimits.runnerHost).describe("The host that it runs on."),
        version: lineField(textLimits.runnerVersion).describe("The runner's name and version."),
      })
      .optional()
      .describe("What runs it."),
    status: z.enum(createdStatuses).optional().describe("Where it stands: `in_progress` where it is left out."),
    ...anyTime,
    duration_ms: numberField(reportNumbers.durationMs)
      .optional()
      .describe("How long it took, in milliseconds, for a task that is reported only at its end."),
    start_by_seconds: numberField(reportNumbers.startBySeconds)
      .optional()
      .describe("A queued task that is not claimed by then expires. 86400 where it is left out."),
  })
  .meta({ examples: [{ category: "backup", type: "restic_backup", progress_percentage: 0 }] });

export const updateTaskBody = z
  .object({
    status: z
      .enum(updatedStatuses)
      .optional()
      .describe("Where it stands. `aborting`, alone or with `reason`, asks for the task to be aborted."),
    ...anyTime,
    claim_id: idField()
      .optional()
      .describe("A UUID, one per run: required to claim a queued task and to take over a lost one."),
    abort: z
      .strictObject({
        signals: listField(
          textField(textLimits.signal).regex(/^[A-Z0-9]+$/, "the name of a signal, such as INT"),
          listLimits.signals,
        ).describe("The signals that were sent, in order."),
        process_tree_ended: z.boolean().describe("Whether no process of the run is left."),
      })
      .optional()
      .describe("What was done to stop it, together with the end."),
    reason: programLine(textLimits.abortReason).optional().describe("Why it is to be aborted, with `aborting` alone."),
    wait_seconds: numberField(reportNumbers.waitSeconds)
      .optional()
      .describe("How long the answer may be held back. It comes at once when an abort is asked for."),
  })
  .meta({ examples: [{ progress_percentage: 60, progress_message: "packing" }] });

/** Request to abort a task: nothing else can be said at the same time. */
export const abortTaskBody = z.object({
  status: z.literal("aborting").describe("Ask for the task to be aborted."),
  reason: updateTaskBody.shape.reason,
});

const reportedTaskId = idField().describe("The task that it is about.");

/** One report of a batch: what it would be by itself. */
const batchedReports = {
  create: z.strictObject({
    operation: z.literal("create").describe("Create a task. Its body has the same id."),
    task_id: reportedTaskId,
    body: z.strictObject(createTaskBody.shape).describe("What `create-task` takes."),
  }),
  update: z.strictObject({
    operation: z.literal("update").describe("Report how a task goes on, or that it lives."),
    task_id: reportedTaskId,
    body: z.strictObject(updateTaskBody.shape).describe("What `update-task` takes, but for aborts."),
  }),
  log: z.strictObject({
    operation: z.literal("log").describe("Add to the log of a task."),
    task_id: reportedTaskId,
    body: z.strictObject(appendTaskLogBody.shape).describe("What `append-task-log` takes."),
  }),
};

export const reportTasksBody = z
  .object({
    reports: listField(
      z.discriminatedUnion("operation", [batchedReports.create, batchedReports.update, batchedReports.log]),
      listLimits.reports,
    ).describe("The reports, in the order in which they are applied."),
  })
  .meta({
    examples: [
      {
        reports: [
          { operation: "update", task_id: "5f0c9a3e-6f0b-4b7c-9a54-0d7c1c9f6a21", body: { status: "completed" } },
        ],
      },
    ],
  });

export type CreateTaskBody = z.infer<typeof createTaskBody>;
export type UpdateTaskBody = z.infer<typeof updateTaskBody>;

/** True if the body of an update asks for an abort. */
export function asksForAbort(body: Record<string, unknown>): boolean {
  return body.status === "aborting";
}
