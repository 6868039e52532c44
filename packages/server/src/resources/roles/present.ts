import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { RoleV1 } from "@holdfast/api/resources/roles";
import { readPermissions } from "../../access/role-permissions";
import type { RoleRow } from "./list-roles";

/** A role as version 1 shows it. */
export function presentRoleV1(row: RoleRow): RoleV1 {
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    permissions: [...readPermissions(row.permissions)],
    organizational_unit_id: row.organizational_unit_id,
    is_default: row.is_default === 1,
    created_timestamp: row.created_at === null ? null : formatTimestamp(row.created_at),
    _links: { self: getLink(`/roles/${row.id}`) },
  };
}
