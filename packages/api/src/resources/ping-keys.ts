import { z } from "zod";
import { idField, lineField, wholeNumberField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { textLimits } from "../conventions/text-limits";
import { monitoredTask, monitorNumbers } from "./monitors";
import { taskCategories } from "./task-words";

/** The period of monitors that a key makes, where nothing else is said: a day. */
export const defaultPeriodSeconds = 86_400;

export const pingKeyV1 = z.object({
  id: uuid.describe("The id of the ping key, which is not the key."),
  name: z.string().describe("Its name, chosen by its creator."),
  organizational_unit_id: uuid.describe("The organizational unit whose monitors it pings."),
  category: z.enum(taskCategories).describe("What kind of task the runs of monitors are that it makes."),
  type: z.string().describe("What exactly these runs do."),
  may_create: z.boolean().describe("Whether a ping with `create=1` makes a monitor that is not there."),
  default_period_seconds: z
    .int()
    .nullable()
    .describe("How often runs of monitors that it makes are expected; null where nothing is expected."),
  created_timestamp: timestamp.describe("When it was made."),
  _links: itemLinks,
});

/** The response to creating a key: the only one that shows it. */
const newPingKeyV1 = pingKeyV1.extend({
  key: z.string().optional().describe("The key itself, shown this once and never again."),
});

export type PingKeyV1 = z.infer<typeof pingKeyV1>;

export const pingKeyFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
} as const satisfies FilterFields;

export type PingKeyFilterField = keyof typeof pingKeyFilters;

const path = "/ping-keys";
const itemPath = "/ping-keys/{ping_key_id}";
const { periodSeconds } = monitorNumbers;

export const pingKeyBodies = {
  create: z
    .object({
      name: lineField(textLimits.name).describe(`Name, 1 to ${textLimits.name} characters.`),
      organizational_unit_id: idField().optional().describe("By default the unit that is acted in."),
      ...monitoredTask,
      may_create: z
        .boolean()
        .optional()
        .describe("Whether a ping with `create=1` makes a monitor that is not there. false where it is left out."),
      default_period_seconds: wholeNumberField(periodSeconds.min, periodSeconds.max)
        .nullish()
        .describe(
          `How often runs of monitors that it makes are expected, ${defaultPeriodSeconds} where it is left out; null expects nothing.`,
        ),
    })
    .meta({ examples: [{ name: "Backrest hosts", type: "restic_backup", may_create: true }] }),
};

export const pingKeys = {
  name: "ping-keys",
  description: "Keys that ping the monitors of an organizational unit by their slugs. A key itself is shown once.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-ping-keys",
          method: "get",
          path,
          permission: "monitors:write",
          summary: "List the ping keys of the organizational unit and of those below it, newest first.",
          example: "for await (const key of holdfast.pingKeys.list()) console.log(key.name, key.may_create);",
          filters: pingKeyFilters,
          item: pingKeyV1,
        },
        {
          kind: "read",
          id: "read-ping-key",
          method: "get",
          path: itemPath,
          permission: "monitors:write",
          summary: "Read one ping key, without the key itself.",
          example: "const { default_period_seconds } = await holdfast.pingKeys.read(pingKeyId);",
          item: pingKeyV1,
        },
        {
          kind: "write",
          id: "create-ping-key",
          method: "post",
          path,
          permission: "monitors:write",
          summary: "Create a ping key. The answer shows it, this once.",
          example: 'const { key } = await holdfast.pingKeys.create({ name: "Backrest hosts", may_create: true });',
          body: pingKeyBodies.create,
          status: 201,
          item: newPingKeyV1,
        },
        {
          kind: "write",
          id: "delete-ping-key",
          method: "delete",
          path: itemPath,
          permission: "monitors:write",
          summary: "Delete a ping key: pings with it are refused at once. Monitors that it made stay.",
          example: "await holdfast.pingKeys.delete(pingKeyId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
