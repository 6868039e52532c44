import { z } from "zod";
import { idField, lineField, wholeNumberField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { textLimits } from "../conventions/text-limits";

export const organizationalUnitV1 = z.object({
  id: uuid.describe("The unit's id. The root's is all zeros."),
  name: z.string().describe("Name, unique among the units that are directly below the same one."),
  parent_id: uuid
    .nullable()
    .describe("The unit that it is directly below; null for the root, and where the caller may not see that unit."),
  ancestors: z
    .array(z.object({ id: uuid.describe("The unit's id."), name: z.string().describe("Its name.") }))
    .describe("The units that it is below, as far as the caller may see them, the topmost first."),
  child_count: z.int().nonnegative().describe("Number of units that are directly below it."),
  created_timestamp: timestamp.describe("When the unit was created."),
  stale_after_days: z
    .int()
    .nullable()
    .describe(
      "After how many days without a good backup an item in it is stale, if no monitor watches it; 0 is never, null what holds in the unit above it, or in the service.",
    ),
  _links: itemLinks,
});

export type OrganizationalUnitV1 = z.infer<typeof organizationalUnitV1>;

export const organizationalUnitFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  parent_id: { kind: "id", operators: ["$eq", "$in"], description: "The unit that it is directly below." },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The unit's id." },
} as const satisfies FilterFields;

export type OrganizationalUnitFilterField = keyof typeof organizationalUnitFilters;

const path = "/organizational-units";
const itemPath = "/organizational-units/{organizational_unit_id}";
const name = lineField(textLimits.name).describe(`Name, 1 to ${textLimits.name} characters.`);
const parentId = idField().describe("The unit to put it directly below.");

const staleAfterDays = wholeNumberField(0, 3650)
  .nullable()
  .optional()
  .describe(
    "After how many days without a good backup an item in it, or in a unit below it that has no such number, is stale, if no monitor watches it. 0 is never; null follows the unit above it, or the service.",
  );

export const organizationalUnitBodies = {
  create: z.object({ name, parent_id: parentId.optional(), stale_after_days: staleAfterDays }),
  update: z.object({ name: name.optional(), parent_id: parentId.optional(), stale_after_days: staleAfterDays }),
};

export const organizationalUnits = {
  name: "organizational-units",
  description: "The one tree of units in which tasks belong and roles are held.",
  volatileFields: ["ancestors", "child_count"] satisfies (keyof OrganizationalUnitV1)[],
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-organizational-units",
          method: "get",
          path,
          permission: "organizational-units:read",
          summary: "List the organizational unit and those below it.",
          example:
            "const { total_count } = await holdfast.organizationalUnits.list({ filter: { parent_id: unitId } }).page();",
          filters: organizationalUnitFilters,
          item: organizationalUnitV1,
        },
        {
          kind: "read",
          id: "read-organizational-unit",
          method: "get",
          path: itemPath,
          permission: "organizational-units:read",
          summary: "Read one organizational unit.",
          example: `
            const { name, ancestors } = await holdfast.organizationalUnits.read(unitId);
            console.log([...ancestors.map((above) => above.name), name].join(" / "));
          `,
          item: organizationalUnitV1,
        },
        {
          kind: "write",
          id: "create-organizational-unit",
          method: "post",
          path,
          permission: "organizational-units:write",
          summary: "Create an organizational unit below another; without parent_id, below the one that is acted in.",
          example: 'const berlin = await holdfast.organizationalUnits.create({ name: "Berlin", parent_id: unitId });',
          body: organizationalUnitBodies.create,
          status: 201,
          item: organizationalUnitV1,
        },
        {
          kind: "write",
          id: "update-organizational-unit",
          method: "patch",
          path: itemPath,
          permission: "organizational-units:write",
          summary:
            "Rename an organizational unit, move it with everything below it, or say when items in it are stale.",
          example: 'await holdfast.organizationalUnits.update(unitId, { name: "Lyon" });',
          body: organizationalUnitBodies.update,
          status: 200,
          item: organizationalUnitV1,
        },
        {
          kind: "write",
          id: "delete-organizational-unit",
          method: "delete",
          path: itemPath,
          permission: "organizational-units:write",
          summary: "Delete an empty organizational unit, or one whose contents are moved to another.",
          example: "await holdfast.organizationalUnits.delete(emptyUnitId, { moveTo: unitId });",
          parameters: {
            move_to: idField().describe(
              "The unit that everything in it is moved to. Without it, the unit has to be empty.",
            ),
          },
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
