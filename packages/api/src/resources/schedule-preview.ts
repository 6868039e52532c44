import { z } from "zod";
import { itemLinks } from "../conventions/hal";
import { timestamp } from "../conventions/item-fields";

/** Number of runs in a preview. */
export const previewedRuns = 5;

/** The time zone of a preview that names none. */
export const previewTimeZone = "UTC";

export const schedulePreviewParameters = {
  cron: z.string().meta({
    description: "Required. Five fields: minute, hour, day of month, month, day of week.",
    examples: ["30 2 * * *"],
    isRequired: true,
  }),
  time_zone: z
    .string()
    .describe(
      `The time zone that it is meant in, an IANA name such as \`Europe/Berlin\`. \`${previewTimeZone}\` by default.`,
    ),
};

export const schedulePreview = z.object({
  cron: z.string().describe("The expression."),
  time_zone: z.string().describe("The time zone that it is meant in."),
  runs: z
    .array(
      z.object({
        timestamp: timestamp.describe("When the run is expected."),
        local: timestamp.describe("The same moment on the clocks of the time zone, with their offset from UTC."),
        clock_change: z
          .enum(["forward", "back"])
          .nullable()
          .describe(
            "How the clocks of the time zone are set since the run before it, or since now for the first; null if they are not.",
          ),
      }),
    )
    .describe(`The next ${previewedRuns} runs.`),
  _links: itemLinks,
});

export type SchedulePreview = z.infer<typeof schedulePreview>;

/** The operation that shows when a schedule runs, before a monitor has it. */
export const previewSchedule = {
  kind: "read",
  id: "preview-schedule",
  method: "get",
  path: "/schedule-preview",
  permission: "monitors:read",
  summary: "Show when a cron expression runs next in a time zone.",
  example:
    'const { runs } = await holdfast.monitors.previewSchedule({ cron: "30 2 * * *", timeZone: "Europe/Berlin" });',
  parameters: schedulePreviewParameters,
  item: schedulePreview,
} as const;
