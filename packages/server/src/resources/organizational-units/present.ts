import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { OrganizationalUnitV1 } from "@holdfast/api/resources/organizational-units";
import type { UnitPlace } from "./place-units";
import type { UnitRow } from "./store";

/** A unit as version 1 shows it. */
export function presentUnitV1(row: UnitRow & UnitPlace): OrganizationalUnitV1 {
  return {
    id: row.id,
    name: row.name,
    parent_id: row.parent_id,
    ancestors: row.ancestors,
    child_count: row.child_count,
    created_timestamp: formatTimestamp(row.created_at),
    stale_after_days: row.stale_after_days,
    _links: { self: getLink(`/organizational-units/${row.id}`) },
  };
}
