import { z } from "zod";
import { idField, lineField, listField, textField, timestampField, wholeNumberField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import type { SortNames } from "../conventions/sort";
import { listLimits, textLimits } from "../conventions/text-limits";
import { listMonitorSuggestions } from "./monitor-suggestions";
import { monitorStates } from "./monitor-words";
import { previewSchedule } from "./schedule-preview";
import { taskCategories, taskOutcomes } from "./task-words";

/** Ranges of a monitor's numbers, both ends included, and their defaults. */
export const monitorNumbers = {
  periodSeconds: { min: 60, max: 31_536_000 },
  graceSeconds: { min: 60, max: 2_592_000, default: 3_600 },
  runLimitSeconds: { min: 60, max: 2_592_000, default: 86_400 },
  /** A week. */
  overlapSeconds: { min: 0, max: 604_800 },
} as const;

/** Number of recent runs that a monitor shows. */
export const recentOutcomesShown = 30;

/** Default category and type of the tasks of a monitor. */
export const monitorDefaults = { category: "backup", type: "ping_run" } as const;

const entity = { id: z.string(), type: z.string(), value: z.string() };

const schedule = z
  .union([z.object({ cron: z.string(), time_zone: z.string() }), z.object({ period_seconds: z.int() })])
  .nullable();

export const monitorV1 = z.object({
  id: uuid.describe("The monitor's id."),
  name: z.string().describe("Its name."),
  slug: z.string().describe("Its name in the URLs of pings, unique in its organizational unit."),
  organizational_unit_id: uuid.describe("The organizational unit that it and its tasks belong to."),
  category: z.enum(taskCategories).describe("What kind of task its runs are."),
  type: z.string().describe("What exactly its runs do. It also says what an exit status means: `restic_backup`."),
  primary_entity: z.object(entity).describe("What its runs protect."),
  operation: z
    .string()
    .nullable()
    .describe(
      "The operation of what it protects that it follows: tasks of these which name no monitor are its runs. Null if it follows none.",
    ),
  schedule: schedule.describe(
    "When runs are expected: a cron expression, or a period; null where nothing is expected.",
  ),
  grace_seconds: z.int().describe("How late a run may begin."),
  run_limit_seconds: z.int().describe("How long a run that pings report may be without an end before it is lost."),
  body_rules: z
    .object({ failure: z.array(z.string()), warning: z.array(z.string()) })
    .nullable()
    .describe("Texts that make a failure or a warning of a success, where the body of its ping has one of them."),
  paused_until: timestamp.nullable().describe("Until when nothing is expected."),
  state: z.enum(monitorStates).describe("How it stands."),
  is_running: z.boolean().describe("Whether a run is under way."),
  next_expected_timestamp: timestamp.nullable().describe("When the next run is expected."),
  last_ping_timestamp: timestamp.nullable().describe("When the last ping came."),
  last_task_id: z.string().nullable().describe("Its newest task."),
  missed_in_a_row: z.int().describe("How many expected runs have not come since the last one that did."),
  last_unwatched_timestamp: timestamp
    .nullable()
    .describe("The last expected run of which is not known whether it came, because the service was not listening."),
  recent_outcomes: z
    .array(z.object({ task_id: z.string(), outcome: z.enum(taskOutcomes), created_timestamp: timestamp }))
    .describe(`How its last ${recentOutcomesShown} runs ended, oldest first.`),
  created_timestamp: timestamp.describe("When it was made."),
  _links: itemLinks,
  ping_url: z
    .url()
    .optional()
    .describe("Where its runs are reported by pings: only for those who may change it. Anyone who has it can report."),
});

export type MonitorV1 = z.infer<typeof monitorV1>;

const word = ["$eq", "$in", "$neq"] as const;

export const monitorFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  id: { kind: "id", operators: word, description: "The monitor's id." },
  slug: { kind: "word", operators: word, description: "The slug." },
  state: { kind: "word", operators: word, description: "How it stands." },
  category: { kind: "word", operators: word, description: "What kind of task its runs are." },
  type: { kind: "word", operators: word, description: "What exactly its runs do." },
  next_expected_timestamp: {
    kind: "timestamp",
    operators: ["$gt", "$gte", "$lt", "$lte"],
    description: "When the next run is expected. A monitor that expects none matches nothing.",
  },
} as const satisfies FilterFields;

export type MonitorFilterField = keyof typeof monitorFilters;

export const monitorSorts = {
  names: { name: "the name, in any letter case", state: `the state: ${monitorStates.join(", ")}; then the name` },
  default: "name",
} as const satisfies SortNames;

export type MonitorSort = keyof (typeof monitorSorts)["names"];

const path = "/monitors";
const itemPath = "/monitors/{monitor_id}";

const name = lineField(textLimits.name).describe(`Name, 1 to ${textLimits.name} characters.`);

/** Pattern of a slug. */
export const slugPattern = /^[a-z0-9_-]+$/;

/** The kind of task and what exactly it does: also of monitors that a ping key makes. */
export const monitoredTask = {
  category: z
    .enum(taskCategories)
    .optional()
    .describe("What kind of task its runs are. `backup` where it is left out."),
  type: lineField(textLimits.taskType)
    .optional()
    .describe(
      "What exactly its runs do. `ping_run` where it is left out; `restic_backup` knows what exit status 3 means.",
    ),
};

/** A schedule as it is sent. Which fields go together, and whether a cron expression is one, is looked at afterwards. */
const scheduleField = z.strictObject({
  cron: textField(textLimits.cron)
    .optional()
    .describe("Five fields: minute, hour, day of month, month, day of week: `30 2 * * *`."),
  time_zone: textField(textLimits.timeZone)
    .optional()
    .describe("The time zone of the cron expression, an IANA name. `UTC` where it is left out."),
  period_seconds: wholeNumberField(monitorNumbers.periodSeconds.min, monitorNumbers.periodSeconds.max)
    .optional()
    .describe("Instead of `cron`: how long after the beginning of a run the next one is expected."),
});

const bodyRule = listField(
  textField(textLimits.bodyRule).min(1, `1 to ${textLimits.bodyRule} characters`),
  listLimits.bodyRules,
);

const { graceSeconds, runLimitSeconds, overlapSeconds } = monitorNumbers;

const changeable = {
  slug: textField(textLimits.slug, `1 to ${textLimits.slug} characters of a-z, 0-9, _ and -`)
    .regex(slugPattern, `1 to ${textLimits.slug} characters of a-z, 0-9, _ and -`)
    .optional()
    .describe("Its name in the URLs of pings. Made of the name where it is left out."),
  ...monitoredTask,
  primary_entity: z
    .strictObject({
      id: lineField(textLimits.entity).optional().describe("Its id; the value where it is left out."),
      type: lineField(textLimits.entityType).describe("What it is: `host`, `database`, `volume`."),
      value: lineField(textLimits.entity).describe("Its name."),
    })
    .optional()
    .describe("What its runs protect. The monitor itself, as a `job`, where it is left out."),
  operation: lineField(textLimits.operation)
    .nullish()
    .describe(
      "Follows an operation of `primary_entity`, which has to be given: tasks of these which name no monitor are its runs. Null follows none.",
    ),
  schedule: scheduleField.nullish().describe("When runs are expected; null expects nothing."),
  grace_seconds: wholeNumberField(graceSeconds.min, graceSeconds.max)
    .optional()
    .describe(`How late a run may begin. ${graceSeconds.default} where it is left out.`),
  run_limit_seconds: wholeNumberField(runLimitSeconds.min, runLimitSeconds.max)
    .optional()
    .describe(
      `How long a run that pings report may be without an end. ${runLimitSeconds.default} where it is left out.`,
    ),
  body_rules: z
    .strictObject({
      failure: bodyRule.optional().describe("Texts that make a failure of a success."),
      warning: bodyRule.optional().describe("Texts that make a warning of a success."),
    })
    .nullish()
    .describe("What to look for in the bodies of pings that say success."),
  paused_until: timestampField().nullish().describe("Until when nothing is expected; null ends a pause."),
};

export const monitorBodies = {
  create: z
    .object({
      name,
      organizational_unit_id: idField().optional().describe("By default the unit that is acted in."),
      ...changeable,
    })
    .meta({
      examples: [{ name: "Files of web-1", type: "restic_backup", schedule: { cron: "30 2 * * *", time_zone: "UTC" } }],
    }),
  update: z.object({ name: name.optional(), ...changeable }).meta({ examples: [{ grace_seconds: 7200 }] }),
  rotate: z.object({
    overlap_seconds: wholeNumberField(overlapSeconds.min, overlapSeconds.max)
      .optional()
      .describe(`Seconds for which the old URL stays good, 0 to ${overlapSeconds.max}; by default 0.`),
  }),
};

export const createMonitorsBody = z
  .object({
    monitors: listField(z.strictObject(monitorBodies.create.shape), listLimits.monitors).describe(
      "The monitors, each as `create-monitor` takes it.",
    ),
  })
  .meta({
    examples: [
      { monitors: [{ name: "Files of web-1", schedule: { cron: "30 2 * * *", time_zone: "Europe/Berlin" } }] },
    ],
  });

const createdMonitors = z.object({
  results: z
    .array(
      z.object({
        status: z.int().describe("What it would have been answered with by itself: 201 or an error."),
        monitor: monitorV1.omit({ ping_url: true }).optional().describe("The monitor. Read it to see its ping URL."),
        errors: z
          .array(z.object({ error_code: z.int(), error_message: z.string(), field: z.string().optional() }))
          .optional()
          .describe("Why it was refused."),
      }),
    )
    .describe("One for each monitor, in the same order."),
});

export const monitors = {
  name: "monitors",
  description: "Work that is expected to run, how it is heard of, and how its last runs went.",
  volatileFields: [
    "state",
    "is_running",
    "next_expected_timestamp",
    "last_ping_timestamp",
    "last_task_id",
    "missed_in_a_row",
    "last_unwatched_timestamp",
    "recent_outcomes",
    // Another URL is no other monitor, and not everyone who reads it is shown it.
    "ping_url",
  ] satisfies (keyof MonitorV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-monitors",
          hasSecrets: true,
          method: "get",
          path,
          permission: "monitors:read",
          summary: "List the monitors of the organizational unit and of those below it.",
          example: `
            for await (const monitor of holdfast.monitors.list({ sort: "state", filter: { state: { $neq: "ok" } } })) {
              console.log(monitor.name, monitor.state, monitor.next_expected_timestamp);
            }
          `,
          filters: monitorFilters,
          sorts: monitorSorts,
          item: monitorV1,
        },
        previewSchedule,
        listMonitorSuggestions,
        {
          kind: "read",
          id: "read-monitor",
          hasSecrets: true,
          method: "get",
          path: itemPath,
          permission: "monitors:read",
          summary: "Read one monitor.",
          example: "const { recent_outcomes } = await holdfast.monitors.read(monitorId);",
          item: monitorV1,
        },
        {
          kind: "write",
          id: "create-monitor",
          method: "post",
          path,
          permission: "monitors:write",
          summary: "Create a monitor. The answer shows its ping URL.",
          example: `
            const schedule = { cron: "30 2 * * *", time_zone: "Europe/Berlin" };
            const { ping_url } = await holdfast.monitors.create({ name: "Photos", type: "restic_backup", schedule });
          `,
          body: monitorBodies.create,
          status: 201,
          item: monitorV1,
        },
        {
          kind: "write",
          id: "create-monitors",
          method: "post",
          path: `${path}/_batch`,
          permission: "monitors:write",
          summary: "Create several monitors. Each is created or refused by itself.",
          example: `
            const wanted = ["web-1", "web-2"].map((host) => ({ name: host, schedule: { period_seconds: 86_400 } }));
            const { results } = await holdfast.monitors.createAll({ monitors: wanted });
            console.log(results.map(({ status, monitor, errors }) => monitor?.slug ?? errors?.[0]?.error_message ?? status));
          `,
          body: createMonitorsBody,
          status: 200,
          item: createdMonitors,
        },
        {
          kind: "write",
          id: "update-monitor",
          method: "patch",
          path: itemPath,
          permission: "monitors:write",
          summary: "Change, pause or resume a monitor.",
          example: `
            await holdfast.monitors.update(monitorId, { paused_until: new Date(Date.now() + 3_600_000).toISOString() });
            await holdfast.monitors.update(monitorId, { paused_until: null });
          `,
          body: monitorBodies.update,
          status: 200,
          item: monitorV1,
        },
        {
          kind: "write",
          id: "rotate-monitor-url",
          method: "post",
          path: `${itemPath}/rotate`,
          permission: "monitors:write",
          summary: "Give a monitor a new ping URL, and end the old one at once or after an overlap.",
          example: "const { ping_url } = await holdfast.monitors.rotateUrl(monitorId, { overlap_seconds: 86_400 });",
          body: monitorBodies.rotate,
          status: 200,
          item: monitorV1,
        },
        {
          kind: "write",
          id: "delete-monitor",
          method: "delete",
          path: itemPath,
          permission: "monitors:write",
          summary: "Delete a monitor. Its tasks stay.",
          example: "await holdfast.monitors.delete(monitorId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
