import { z } from "zod";
import type { FilterFields } from "../conventions/filter";
import { timestamp, uuid } from "../conventions/item-fields";
import { taskCategories, taskOutcomes, taskStatuses } from "./task-words";

/** The stretches of time that tasks are counted by. `all` is one stretch. */
export const countIntervals = ["hour", "day", "week", "month", "all"] as const;
export type CountInterval = (typeof countIntervals)[number];

/** Fields that the counts can be grouped by. */
export const countGroups = ["outcome", "status", "category", "type", "organizational_unit_id", "error.code"] as const;
export type CountGroup = (typeof countGroups)[number];

/** Maximum number of fields that counts are grouped by. */
export const maxCountGroups = 2;
/** Maximum number of days by `hour`, and by `error.code`; and by `day`. */
export const countReach = { hour: 31, day: 400 } as const;

/** Parameter of the groups: the client takes a list. */
type GroupsParameter = z.ZodType<string, string | readonly CountGroup[]>;

const groupBy: GroupsParameter = z
  .string()
  .describe(
    `Fields that are counted apart: at most ${maxCountGroups} of ${countGroups.map((group) => `\`${group}\``).join(", ")}, with a comma between them. \`outcome\` where it is left out. \`error.code\` counts at most ${countReach.hour} days.`,
  );

export const taskCountParameters = {
  interval: z
    .enum(countIntervals)
    .describe(
      `The stretches of time that tasks are counted by, \`day\` where it is left out. \`hour\` counts at most ${countReach.hour} days and \`day\` at most ${countReach.day}: the newest, unless the filter says otherwise. A week begins on Monday.`,
    ),
  time_zone: z
    .string()
    .describe("The zone in which hours, days, weeks and months begin, such as `Europe/Berlin`. `UTC` by default."),
  group_by: groupBy,
};

export const taskCount = z.object({
  start_timestamp: timestamp.describe(
    "When the stretch begins, also where the filter begins later. With `all`, where the filter begins, or the day of the oldest task.",
  ),
  end_timestamp: timestamp.describe("When it ends; the end is not a part of it."),
  outcome: z.enum(taskOutcomes).nullable().optional().describe("How they ended; null for those that have not."),
  status: z.enum(taskStatuses).optional().describe("Where they stand."),
  category: z.enum(taskCategories).optional().describe("What kind of task they are."),
  type: z.string().optional().describe("What exactly they do."),
  organizational_unit_id: uuid.optional().describe("The organizational unit that they belong to."),
  "error.code": z.string().nullable().optional().describe("What went wrong; null for those without an error."),
  count: z.int().min(1).describe("How many tasks were created in that time."),
});

const word = ["$eq", "$in", "$neq"] as const;

export const taskCountFilters = {
  status: { kind: "word", operators: word, description: "Where the task stands." },
  outcome: {
    kind: "word",
    operators: word,
    description:
      "How it ended. A task that has not ended has no outcome: `$eq` and `$in` leave it out, `$neq` does not.",
  },
  category: { kind: "word", operators: word, description: "The kind of task." },
  type: { kind: "word", operators: word, description: "What exactly it does." },
  created_timestamp: {
    kind: "timestamp",
    operators: ["$gt", "$gte", "$lt", "$lte"],
    description: "When it was created.",
  },
} as const satisfies FilterFields;

export type TaskCountFilterField = keyof typeof taskCountFilters;
