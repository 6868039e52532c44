import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { textLimits } from "../conventions/text-limits";

export const taskStatuses = ["queued", "in_progress", "aborting", "completed", "failed", "aborted"] as const;
export const taskOutcomes = ["success", "warning", "error", "cancelled", "lost", "expired", "missed"] as const;
export const taskCategories = [
  "backup",
  "restore",
  "snapshot",
  "snapshot_restore",
  "system",
  "report_generation",
  "management",
] as const;

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
  _links: itemLinks,
});

export type TaskV1 = z.infer<typeof taskV1>;
export type TaskStatus = (typeof taskStatuses)[number];
export type TaskOutcome = (typeof taskOutcomes)[number];
export type TaskCategory = (typeof taskCategories)[number];

/** How a task of each status can have ended: none that has not. The first is the usual one. */
export const outcomesOf: Readonly<Record<TaskStatus, readonly TaskOutcome[]>> = {
  queued: [],
  in_progress: [],
  aborting: [],
  completed: ["success", "warning"],
  failed: ["error", "lost", "expired", "missed"],
  aborted: ["cancelled", "error"],
};

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
} as const satisfies FilterFields;

export type TaskFilterField = keyof typeof taskFilters;

export const tasks: Resource = {
  name: "tasks",
  description: "Backups, restores, snapshots and everything else that runs: what ran, when, on what and how it ended.",
  defaultVersion: 1,
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
          filters: taskFilters,
          item: taskV1,
        },
        {
          kind: "read",
          id: "read-task",
          method: "get",
          path: "/tasks/{task_id}",
          permission: "tasks:read",
          summary: "Read one task.",
          item: taskV1,
        },
      ],
    },
  ],
};
