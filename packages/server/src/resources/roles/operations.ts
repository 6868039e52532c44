import { roleFilters } from "@holdfast/api/resources/roles";
import type { ChangeImplementation } from "../../operations/change";
import { implementRead } from "../../operations/item-reading";
import { type Implementation, implementList, type Renderers } from "../../operations/reading";
import { createRole, deleteRole, updateRole } from "./change-roles";
import { type RoleRow, roleSource } from "./list-roles";
import { presentRoleV1 } from "./present";

const renderers: Renderers<RoleRow> = { 1: (row) => JSON.stringify(presentRoleV1(row)) };

export const roleReadings: Record<string, Implementation> = {
  "list-roles": implementList(roleSource, roleFilters, renderers),
  "read-role": implementRead("role_id", ({ db }, scope, id) => roleSource.find(db, scope, id), "role", renderers),
};

export const roleChanges: Record<string, ChangeImplementation> = {
  "create-role": createRole,
  "update-role": updateRole,
  "delete-role": deleteRole,
};
