import { roleFilters, roles } from "@holdfast/api/resources/roles";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { createRole, deleteRole, updateRole } from "./change-roles";
import { type RoleRow, roleSource } from "./list-roles";
import { presentRoleV1 } from "./present";
import { rolesInUnits } from "./roles-in-units";

const renderers: Renderers<RoleRow> = { 1: (row) => JSON.stringify(presentRoleV1(row)) };

/** Sets of permissions that people and services hold in units. */
export const roleResource = {
  declaration: roles,
  reads: () => ({
    "list-roles": implementList(roleSource, roleFilters, renderers),
    "read-role": implementRead("role_id", ({ db }, scope, id) => roleSource.find(db, scope, id), "role", renderers),
  }),
  changes: { "create-role": createRole, "update-role": updateRole, "delete-role": deleteRole },
  domain: "any",
  tables: {
    roles: { move: { key: ["id"], numberedBy: "seq" }, domain: { name: "access" }, inUnit: rolesInUnits },
  },
} satisfies ResourceDescription<typeof roles>;
