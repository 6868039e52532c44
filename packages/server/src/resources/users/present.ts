import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { UserV1, UserV2 } from "@holdfast/api/resources/users";
import type { UserRow } from "./list-users";

type ShownUser = Omit<UserRow, "place">;

export function presentUserV1(row: ShownUser): UserV1 {
  return {
    id: row.id,
    email: row.email,
    full_name: row.full_name,
    is_confirmed: row.is_confirmed === 1,
    is_enabled: row.is_enabled === 1,
  };
}

export function presentUserV2(row: ShownUser): UserV2 {
  const units = Map.groupBy(row.grants, (grant) => grant.role_id);
  return {
    ...presentUserV1(row),
    access_control_configuration: [...units].map(([role_id, grants]) => ({
      role_id,
      organizational_unit_ids: grants.map((grant) => grant.organizational_unit_id),
    })),
    organizational_unit_count: new Set(row.grants.map((grant) => grant.organizational_unit_id)).size,
    time_zone: row.time_zone,
    inviter: row.inviter_id,
    last_activity_timestamp: row.last_active_at === null ? null : formatTimestamp(row.last_active_at),
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/users/${row.id}`) },
  };
}
