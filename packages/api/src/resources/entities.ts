import { z } from "zod";
import { lineField, listField, timestampField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import type { SortNames } from "../conventions/sort";
import { textLimits } from "../conventions/text-limits";
import { entityStates, operationsKept, recentTasksShown } from "./entity-words";
import { taskOutcomes } from "./task-words";

const outcome = z.enum(taskOutcomes);
const evidence = z.object({ task_id: z.string(), outcome, end_timestamp: timestamp }).nullable();

const recentOutcomes = z.array(z.object({ task_id: z.string(), outcome, created_timestamp: timestamp }));

const operationStateMeaning = [
  "How it stands, by its newest ended run; cancelled ones are passed over.",
  "`never`: none has ended with `success` or `warning` yet. `failing`: it ended with `error` or `lost`.",
  "`missed`: with `missed` or `expired`. `stale`: no monitor expects the next, and the last good backup is older than `stale_after_days`.",
  "`incomplete`: with `warning`. `unwatched`: with `success`, but no monitor expects the next.",
  "`good`: with `success`, and a monitor expects the next.",
].join(" ");

const stateMeaning = [
  "How it stands: the worst state of its operations that are not retired, in this order.",
  "An operation that never succeeded counts as `failing` if another one did.",
].join(" ");

const entityOperation = z.object({
  operation: z.string().describe("The `operation` of its tasks."),
  type: z.string().describe("The type of its last run."),
  state: z.enum(entityStates).describe(operationStateMeaning),
  last_run: evidence.describe("The run that ended last, of any outcome."),
  last_good_backup: evidence.describe("The run that ended last with `success`."),
  last_incomplete_backup: evidence.describe("The run that ended last with `warning`."),
  monitor_ids: z.array(uuid).describe("The monitors that its runs belong to, paused ones included."),
  recent_outcomes: recentOutcomes.describe(`How its last ${recentTasksShown} runs ended, oldest first.`),
  is_retired: z.boolean().describe("Whether it needs no attention any more. A new run ends that."),
});

export const entityV1 = z.object({
  id: uuid.describe("The id of the entity in its organizational unit."),
  primary_entity: z
    .object({ id: z.string(), type: z.string(), value: z.string() })
    .describe("What is protected: the id and type that its tasks name, and the name in the newest of them."),
  organizational_unit_id: uuid.describe("The organizational unit that its tasks belong to."),
  state: z.enum(entityStates).describe(stateMeaning),
  last_run: evidence.describe("The backup or snapshot that ended last, of any outcome."),
  last_good_backup: evidence.describe("The backup or snapshot that ended last with `success`."),
  last_incomplete_backup: evidence.describe("The backup or snapshot that ended last with `warning`."),
  last_restore: evidence.describe("The restore that ended last, unless it was cancelled."),
  expected_period_seconds: z
    .int()
    .nullable()
    .describe("The shortest period of the monitors that expect it; null where none has a period."),
  monitor_ids: z.array(uuid).describe("The monitors that watch it, paused ones included."),
  recent_outcomes: recentOutcomes.describe(
    `How its last ${recentTasksShown} backups and snapshots ended, oldest first.`,
  ),
  operations: z
    .array(entityOperation)
    .describe(
      `The recurring pieces of work that back it up, what needs attention first and retired ones last; at most ${operationsKept}.`,
    ),
  first_seen_timestamp: timestamp.describe("When its first task was created."),
  muted_until: timestamp.nullable().describe("Until when it needs no attention; null where it is not muted."),
  is_retired: z
    .boolean()
    .describe("Whether it, or each of its operations, needs no attention any more. A new task ends that."),
  _links: itemLinks,
});

export type EntityV1 = z.infer<typeof entityV1>;

const entityCount = z.object({
  state: z.enum(entityStates).describe("How they stand."),
  count: z.int().min(1).describe("How many protected entities stand so."),
});

const word = ["$eq", "$in", "$neq"] as const;

const attention = {
  is_retired: { kind: "flag", operators: ["$eq"], description: "Whether it is retired." },
  is_muted: { kind: "flag", operators: ["$eq"], description: "Whether it is muted." },
} as const satisfies FilterFields;

const type = { kind: "word", operators: word, description: "The type of what is protected." } as const;

export const entityFilters = {
  state: { kind: "word", operators: word, description: "How it stands." },
  "primary_entity.type": type,
  "primary_entity.id": { kind: "text", operators: ["$eq", "$contains"], description: "The id of what is protected." },
  "primary_entity.value": {
    kind: "text",
    operators: ["$eq", "$contains"],
    description: "The name of what is protected.",
  },
  "last_good_backup.end_timestamp": {
    kind: "timestamp",
    operators: ["$gt", "$gte", "$lt", "$lte"],
    description: "When the last good backup ended. What has none matches nothing.",
  },
  ...attention,
  id: { kind: "id", operators: ["$eq", "$in"], description: "The entity's id." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The organizational unit that it belongs to, without those below it.",
  },
} as const satisfies FilterFields;

export type EntityFilterField = keyof typeof entityFilters;

export const entityCountFilters = { "primary_entity.type": type, ...attention } as const satisfies FilterFields;

export type EntityCountFilterField = keyof typeof entityCountFilters;

export const entitySorts = {
  names: {
    state: `${entityStates.join(", ")}; then the name`,
    value: "the name, in any letter case",
    last_good_backup: "when the last good backup ended, those without one first",
  },
  default: "state",
} as const satisfies SortNames;

export type EntitySort = keyof (typeof entitySorts)["names"];

export const entityBodies = {
  update: z.object({
    muted_until: timestampField()
      .nullable()
      .optional()
      .describe("Until when it needs no attention, a moment to come; null ends that."),
    is_retired: z
      .boolean()
      .optional()
      .describe(
        "Whether it needs no attention until a new task comes; false also ends it for operations, if all are retired.",
      ),
    operations: listField(
      z.strictObject({ operation: lineField(textLimits.operation), is_retired: z.boolean() }),
      operationsKept,
    )
      .optional()
      .describe("Operations that need no attention until they run again, or need it again. Others stay as they are."),
  }),
};

export const entities = {
  name: "entities",
  description:
    "Protected items: one for each primary entity of tasks in an organizational unit, with what is known of its backups.",
  // Tasks and monitors change these.
  volatileFields: [
    "primary_entity",
    "state",
    "last_run",
    "last_good_backup",
    "last_incomplete_backup",
    "last_restore",
    "expected_period_seconds",
    "monitor_ids",
    "recent_outcomes",
    "operations",
    "first_seen_timestamp",
  ] satisfies (keyof EntityV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-entities",
          method: "get",
          path: "/entities",
          permission: "entities:read",
          summary: "List the protected entities of the organizational unit and of those below it.",
          example: `
            const state = { $in: ["never", "failing", "missed", "stale"] };
            for await (const entity of holdfast.entities.list({ filter: { state, is_retired: false, is_muted: false } })) {
              console.log(entity.primary_entity.value, entity.state, entity.last_good_backup?.end_timestamp ?? "never");
            }
          `,
          filters: entityFilters,
          sorts: entitySorts,
          item: entityV1,
        },
        {
          kind: "list",
          id: "list-entity-counts",
          method: "get",
          path: "/entity-counts",
          permission: "entities:read",
          summary:
            "Count the protected entities of the organizational unit and of those below it by state, what needs attention first.",
          example: "for await (const { state, count } of holdfast.entities.counts()) console.log(state, count);",
          filters: entityCountFilters,
          item: entityCount,
        },
        {
          kind: "read",
          id: "read-entity",
          method: "get",
          path: "/entities/{entity_id}",
          permission: "entities:read",
          summary: "Read one protected entity.",
          example: "const { last_good_backup, last_restore } = await holdfast.entities.read(entityId);",
          item: entityV1,
        },
        {
          kind: "write",
          id: "update-entity",
          method: "patch",
          path: "/entities/{entity_id}",
          permission: "entities:write",
          summary:
            "Mute a protected entity until a moment, or retire it or some of its operations: they need no attention then.",
          example: `
            await holdfast.entities.update(entityId, { muted_until: new Date(Date.now() + 86_400_000).toISOString() });
            await holdfast.entities.update(entityId, { is_retired: true });
          `,
          body: entityBodies.update,
          status: 200,
          item: entityV1,
        },
      ],
    },
  ],
} as const satisfies Resource;
