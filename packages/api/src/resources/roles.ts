import { z } from "zod";
import { lineField, listField, textField } from "../conventions/body-fields";
import type { FilterFields } from "../conventions/filter";
import { itemLinks } from "../conventions/hal";
import { timestamp, uuid } from "../conventions/item-fields";
import type { Resource } from "../conventions/operation";
import { listLimits, textLimits } from "../conventions/text-limits";

export const roleV1 = z.object({
  id: uuid.describe("The role's id."),
  name: z.string().describe("Name, unique in its organizational unit and among the default roles."),
  description: z.string().describe("What the role is for."),
  permissions: z.array(z.string()).describe("What its holder may do."),
  organizational_unit_id: uuid.describe("The unit that it was made in: it can be held there and below."),
  is_default: z.boolean().describe("Whether every control plane has it; such a role cannot be changed."),
  created_timestamp: timestamp.nullable().describe("When the role was created; null for a default role."),
  _links: itemLinks,
});

export type RoleV1 = z.infer<typeof roleV1>;

export const roleFilters = {
  name: { kind: "name", operators: ["$contains", "$begins_with", "$eq"], description: "The name, in any letter case." },
  id: { kind: "id", operators: ["$eq", "$in"], description: "The role's id." },
} as const satisfies FilterFields;

export type RoleFilterField = keyof typeof roleFilters;

const path = "/roles";
const itemPath = "/roles/{role_id}";
const name = lineField(textLimits.roleName).describe(`Name, 1 to ${textLimits.roleName} characters.`);
const description = textField(textLimits.roleDescription).describe(
  `What the role is for, at most ${textLimits.roleDescription} characters.`,
);
const permissions = listField(textField(textLimits.permission), listLimits.permissions).describe(
  "What its holder may do; nothing that the caller may not.",
);

export const roleBodies = {
  create: z.object({ name, description: description.optional(), permissions }),
  update: z.object({ name: name.optional(), description: description.optional(), permissions: permissions.optional() }),
};

export const roles = {
  name: "roles",
  description: "Sets of permissions that users and service tokens hold in organizational units.",
  versions: [
    {
      version: 1,
      operations: [
        {
          kind: "list",
          id: "list-roles",
          method: "get",
          path,
          permission: "roles:read",
          summary:
            "List the roles that can be held in the organizational unit or below it: the default ones, those of units above, its own, and those made below.",
          example: 'const [viewer] = await holdfast.roles.list({ filter: { name: "viewer" } }).first(1);',
          filters: roleFilters,
          item: roleV1,
        },
        {
          kind: "read",
          id: "read-role",
          method: "get",
          path: itemPath,
          permission: "roles:read",
          summary: "Read one role.",
          example: "const { permissions } = await holdfast.roles.read(roleId);",
          item: roleV1,
        },
        {
          kind: "write",
          id: "create-role",
          method: "post",
          path,
          permission: "roles:write",
          summary: "Create a role in the organizational unit.",
          example:
            'const auditor = await holdfast.roles.create({ name: "auditor", permissions: ["tasks:read", "audit-events:read"] });',
          body: roleBodies.create,
          status: 201,
          item: roleV1,
        },
        {
          kind: "write",
          id: "update-role",
          method: "patch",
          path: itemPath,
          permission: "roles:write",
          summary: "Change a role of the organizational unit, for all of its holders.",
          example: 'await holdfast.roles.update(roleId, { description: "Reads tasks, and nothing else." });',
          body: roleBodies.update,
          status: 200,
          item: roleV1,
        },
        {
          kind: "write",
          id: "delete-role",
          method: "delete",
          path: itemPath,
          permission: "roles:write",
          summary: "Delete a role of the organizational unit that has no holders.",
          example: "await holdfast.roles.delete(roleId);",
          status: 204,
        },
      ],
    },
  ],
} as const satisfies Resource;
