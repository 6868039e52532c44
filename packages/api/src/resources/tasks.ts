import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { itemLinks, link } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { textLimits } from "../conventions/text-limits";
import { taskCount, taskCountFilters, taskCountParameters } from "./task-counts";
import { appendedLog, appendTaskLogBody, taskLog, taskLogParameters } from "./task-logs";
import { asksForAbort, createTaskBody, reportTasksBody, updateTaskBody } from "./task-reports";
import { watchParameters } from "./task-watch";
import { livenesses, taskCategories, taskOutcomes, taskStatuses } from "./task-words";

export const taskV1 = z.object({
  id: z.string().max(textLimits.id).describe("The task's id: a UUID, or what an import gave it."),
  category: z.enum(taskCategories).describe("What kind of task it is."),
  status: z.enum(taskStatuses).describe("Where it stands."),
  progress_percentage: z.int().min(0).max(100).describe("How much of it is done."),
  created_timestamp: timestamp.describe("When it was created."),
  type: z.string().describe("What exactly it does, `<engine>_<what>`: `restic_backup`, `borg_prune`."),
  start_timestamp: timestamp.nullable().describe("When it began, or null until then."),
  end_timestamp: timestamp.nullable().describe("When it ended, or null until then."),
  organizational_unit_id: uuid.describe("The organizational unit that it belongs to."),
  primary_entity: z
    .object({ id: z.string(), type: z.string(), value: z.string() })
    .nullable()
    .describe("What is protected: a host, a database, a volume."),
  outcome: z.enum(taskOutcomes).nullable().describe("How it ended, or null until then."),
  error: z
    .object({ code: z.string(), message: z.string(), remedy: z.string() })
    .nullable()
    .describe("What went wrong and what to do about it, or null."),
  is_abortable: z.boolean().describe("Whether it can be asked to abort now."),
  last_heartbeat_timestamp: timestamp.nullable().describe("When its runner last reported."),
  last_progress_timestamp: timestamp.nullable().describe("When it last came further."),
  name: z.string().optional().describe("Its name for people."),
  operation: z
    .string()
    .optional()
    .describe("The recurring piece of work that it is a run of, if that is not its `type`."),
  progress_message: z.string().optional().describe("What is being done now."),
  attempt: z.int().optional().describe("Which attempt it is, where it is not the first."),
  monitor_id: uuid.optional().describe("The monitor that it is a run of. The monitor may be gone."),
  runner: z.object({ host: z.string(), version: z.string() }).optional().describe("What runs it, and where."),
  liveness: z
    .enum(livenesses)
    .optional()
    .describe("What is worrying about it: nothing is heard of its runner, it takes too long, or it comes no further."),
  received_timestamp: timestamp
    .optional()
    .describe("When it was first reported, where that was more than a minute after it was created."),
  revised_timestamp: timestamp.optional().describe("When its runner was heard of again after it had counted as lost."),
  abort: z
    .object({
      requested_timestamp: timestamp
        .nullable()
        .describe("When the abort was asked for; null if it was stopped on its host."),
      requested_by: z.string().nullable().describe("The user or token that asked for it."),
      reason: z.string().nullable().describe("Why, as far as it was said."),
      signals: z.array(z.string()).optional().describe("The signals that the runner sent."),
      process_tree_ended: z.boolean().optional().describe("Whether no process of the run is left."),
    })
    .optional()
    .describe("That it was to be aborted, and what was done."),
  late_report: z
    .object({ attempt: z.int(), status: z.enum(taskStatuses), received_timestamp: timestamp })
    .optional()
    .describe("What an earlier attempt, or a runner after the end, said of it. It was not believed."),
  _links: itemLinks.extend({ log: link.optional().describe("Its log, where it has one.") }),
});

/** Facts that a runner needs to go on reporting. */
export const taskLease = z.object({
  attempt: z.int().describe("The attempt that reports."),
  sequence: z.int().describe("The number of the last report that was applied; 0 where none had one."),
  expires_in_seconds: z.int().describe("When the task counts as lost, if nothing is heard until then."),
  next_report_seconds: z.int().describe("When the next report, or a heartbeat, is expected."),
  abort_requested: z.boolean().describe("Whether the runner is to stop the work."),
  abort_reason: z.string().nullable().describe("Why, as far as it was said."),
  log_size: z.int().describe("How many bytes of log are stored."),
});

const lease = taskLease.nullable().describe("What the runner has to know to go on; null once the task has ended.");

export const reportedTask = taskV1.extend({ lease });
export const heartbeat = z.object({ id: taskV1.shape.id, status: taskV1.shape.status, lease });

export const reportResults = z.object({
  results: z
    .array(
      z.object({
        task_id: z.string().describe("The task that the report was about."),
        status: z.int().describe("What the report would have been answered with by itself: 201, 200 or an error."),
        lease: lease.optional(),
        log_size: z.int().optional().describe("How many bytes the log has, after `log` and where one has a gap."),
        errors: z
          .array(z.object({ error_code: z.int(), error_message: z.string(), field: z.string().optional() }))
          .optional()
          .describe("Why it was refused."),
      }),
    )
    .describe("One for each report, in the same order."),
});

export type TaskLease = z.infer<typeof taskLease>;
export type ReportResult = z.infer<typeof reportResults>["results"][number];

export type TaskV1 = z.infer<typeof taskV1>;

const word = ["$eq", "$in", "$neq"] as const;
const range = ["$gt", "$gte", "$lt", "$lte"] as const;

export const taskFilters = {
  status: { kind: "word", operators: word, description: "Where the task stands." },
  category: { kind: "word", operators: word, description: "The kind of task." },
  type: { kind: "word", operators: word, description: "What exactly it does." },
  id: { kind: "id", operators: word, description: "The task's id." },
  created_timestamp: { kind: "timestamp", operators: range, description: "When it was created." },
  start_timestamp: { kind: "timestamp", operators: range, description: "When it began." },
  end_timestamp: { kind: "timestamp", operators: range, description: "When it ended." },
  "primary_entity.id": { kind: "text", operators: ["$eq", "$contains"], description: "The id of what is protected." },
  "primary_entity.value": {
    kind: "text",
    operators: ["$eq", "$contains"],
    description: "The name of what is protected.",
  },
  outcome: {
    kind: "word",
    operators: word,
    description:
      "How it ended. A task that has not ended has no outcome: `$eq` and `$in` leave it out, `$neq` does not.",
  },
  "error.code": {
    kind: "word",
    operators: word,
    description: "What went wrong. A task without an error has no code: `$eq` and `$in` leave it out, `$neq` does not.",
  },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The organizational unit that it belongs to, without those below it.",
  },
  monitor_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The monitor that it is a run of, which may be gone.",
  },
  operation: {
    kind: "word",
    operators: ["$eq", "$in"],
    description: "The recurring piece of work that it is a run of: its `type`, unless it has another.",
  },
} as const satisfies FilterFields;

export type TaskFilterField = keyof typeof taskFilters;

export const tasks = {
  name: "tasks",
  description: "Backups, restores, snapshots and everything else that runs: what ran, when, on what and how it ended.",
  defaultVersion: 1,
  volatileFields: [
    "progress_percentage",
    "progress_message",
    "last_heartbeat_timestamp",
    "last_progress_timestamp",
    "liveness",
    "is_abortable",
  ],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-tasks",
          method: "get",
          path: "/tasks",
          permission: "tasks:read",
          summary: "List the tasks of the organizational unit and of those below it, newest first.",
          example: `
            const since = new Date(Date.now() - 7 * 86_400_000);
            for await (const task of holdfast.tasks.list({ filter: { status: "failed", created_timestamp: { $gte: since } } })) {
              console.log(task.primary_entity?.value, task.error?.message);
            }
          `,
          filters: taskFilters,
          item: taskV1,
        },
        {
          kind: "list",
          id: "list-task-counts",
          method: "get",
          path: "/task-counts",
          permission: "tasks:read",
          summary:
            "Count the tasks of the organizational unit and of those below it by when they were created, newest first, then in code-point order of what they are grouped by, null first.",
          example: `
            const lastDays = holdfast.tasks.counts({ interval: "day", timeZone: "Europe/Berlin", groupBy: ["outcome"] });
            for (const { start_timestamp, outcome, count } of await lastDays.first(30)) console.log(start_timestamp, outcome, count);
          `,
          filters: taskCountFilters,
          parameters: taskCountParameters,
          item: taskCount,
        },
        {
          kind: "watch",
          id: "watch-tasks",
          method: "get",
          path: "/task-events",
          permission: "tasks:read",
          summary: "Watch the tasks of the organizational unit and of those below it: a stream of events.",
          example: `
            for await (const event of holdfast.tasks.watch({ filter: { status: { $in: ["in_progress", "aborting"] } } })) {
              if (event.event === "snapshot") console.log(event.page.total_count, "running");
              if (event.event === "match" || event.event === "task") console.log(event.item.type, event.item.progress_percentage);
              break;
            }
          `,
          filters: taskFilters,
          parameters: watchParameters,
          item: taskV1,
        },
        {
          kind: "read",
          id: "read-task",
          method: "get",
          path: "/tasks/{task_id}",
          permission: "tasks:read",
          summary: "Read one task.",
          example: "const { status, outcome } = await holdfast.tasks.read(taskId);",
          item: taskV1,
        },
        {
          kind: "report",
          id: "create-task",
          method: "post",
          path: "/tasks",
          permission: "tasks:report",
          summary: "Report a task that begins, waits to be begun, or has ended already.",
          example: `
            await holdfast.tasks.create({
              category: "backup",
              type: "restic_backup",
              status: "completed",
              duration_ms: 720_000,
              primary_entity: { type: "host", value: "web-01" },
            });
          `,
          body: createTaskBody,
          status: 201,
          item: reportedTask,
        },
        {
          kind: "report",
          id: "update-task",
          method: "patch",
          path: "/tasks/{task_id}",
          permission: "tasks:report",
          otherPermissions: ["tasks:abort"],
          summary:
            "Report how a task goes on or ends, claim it, or take it over. An empty body is a heartbeat. Asking for an abort needs `tasks:abort` instead.",
          example: 'await holdfast.tasks.update(taskId, { progress_percentage: 60, progress_message: "packing" });',
          body: updateTaskBody,
          status: 200,
          item: z.union([reportedTask, taskV1, heartbeat]),
          change: { permission: "tasks:abort", isAskedBy: asksForAbort },
        },
        {
          kind: "report",
          id: "append-task-log",
          method: "post",
          path: "/tasks/{task_id}/log",
          permission: "tasks:report",
          summary: "Add to the log of a task.",
          example:
            'const { log_size } = await holdfast.tasks.appendLog(taskId, { offset: 0, text: "scan finished in 1.2 s\\n" });',
          body: appendTaskLogBody,
          status: 200,
          item: appendedLog,
        },
        {
          kind: "read",
          id: "read-task-log",
          hasSecrets: true,
          method: "get",
          path: "/tasks/{task_id}/log",
          permission: "tasks:read",
          summary: "Read a part of the log of a task, or download all of it as text.",
          example: "const { text, next_offset, is_complete } = await holdfast.tasks.readLog(taskId, { tail: 4096 });",
          parameters: taskLogParameters,
          isTextToo: true,
          item: taskLog,
        },
        {
          kind: "report",
          id: "report-tasks",
          method: "post",
          path: "/task-reports",
          permission: "tasks:report",
          summary: "Send several reports at once. They are applied in order; each is accepted or refused by itself.",
          example: `
            const { results } = await holdfast.tasks.report({
              reports: [{ operation: "update", task_id: taskId, body: { status: "completed" } }],
            });
          `,
          body: reportTasksBody,
          status: 200,
          item: reportResults,
        },
      ],
    },
  ],
} as const satisfies Resource;
