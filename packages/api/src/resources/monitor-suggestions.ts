import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { uuid } from "../conventions/item-fields";
import type { ListOperation } from "../conventions/operation";
import { suggestionConfidences } from "./suggestion-words";
import { taskCategories } from "./task-words";

/** Number of the newest runs of an operation that a suggestion comes from. */
export const suggestionRuns = { min: 5, max: 30 } as const;

/** Number of protected entities that one request examines for suggestions. */
export const maxSuggestedEntities = 2_000;

const entity = z.object({ id: z.string(), type: z.string(), value: z.string() });

export const monitorSuggestionV1 = z.object({
  entity_id: uuid.describe("The protected entity, as `read-entity` takes it."),
  primary_entity: entity.describe("What the operation protects."),
  organizational_unit_id: uuid.describe("The organizational unit that it belongs to."),
  operation: z.string().describe("The operation that nothing watches."),
  type: z.string().describe("What exactly its runs do."),
  confidence: z.enum(suggestionConfidences).describe("How far the suggestion can be trusted."),
  run_count: z.int().describe("How many of its newest runs were looked at."),
  max_deviation_seconds: z.int().describe("By how much one of these was off the suggested schedule at most."),
  reason: z.string().describe("A sentence that says what was seen."),
  monitor: z
    .object({
      name: z.string(),
      slug: z.string(),
      organizational_unit_id: uuid,
      category: z.enum(taskCategories),
      type: z.string(),
      primary_entity: entity,
      operation: z.string(),
      schedule: z.union([z.object({ cron: z.string(), time_zone: z.string() }), z.object({ period_seconds: z.int() })]),
      grace_seconds: z.int(),
    })
    .describe("The monitor that would watch it, as `create-monitor` and `create-monitors` take it."),
});

export type MonitorSuggestionV1 = z.infer<typeof monitorSuggestionV1>;

export const monitorSuggestionFilters = {
  confidence: { kind: "word", operators: ["$eq", "$in", "$neq"], description: "How far it can be trusted." },
  "primary_entity.type": {
    kind: "word",
    operators: ["$eq", "$in", "$neq"],
    description: "The type of what is protected.",
  },
  entity_id: { kind: "id", operators: ["$eq", "$in"], description: "The protected entity." },
  organizational_unit_id: {
    kind: "id",
    operators: ["$eq", "$in"],
    description: "The organizational unit that it belongs to, without those below it.",
  },
} as const satisfies FilterFields;

export type MonitorSuggestionFilterField = keyof typeof monitorSuggestionFilters;

export const monitorSuggestionParameters = {
  time_zone: z
    .string()
    .describe(
      "The zone in which times of day and days of the week are suggested, such as `Europe/Berlin`. `UTC` by default, and if it fits better.",
    ),
};

export const listMonitorSuggestions = {
  kind: "list",
  id: "list-monitor-suggestions",
  method: "get",
  path: "/monitor-suggestions",
  permission: "monitors:read",
  summary: `Suggest monitors for operations that nothing watches and that have run at least ${suggestionRuns.min} times, by the name of what they protect. None of their last ${suggestionRuns.max} runs would have been missed. The first ${maxSuggestedEntities} protected entities that are not good are looked at.`,
  example: `
    const trusted = { confidence: { $in: ["high", "medium"] } };
    for await (const { monitor, reason } of holdfast.monitors.suggestions({ timeZone: "Europe/Berlin", filter: trusted })) {
      console.log(monitor.name, reason);
      await holdfast.monitors.create(monitor);
    }
  `,
  filters: monitorSuggestionFilters,
  parameters: monitorSuggestionParameters,
  item: monitorSuggestionV1,
} as const satisfies ListOperation;
