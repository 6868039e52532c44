import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type ViewV1, viewV1 } from "@holdfast/api/resources/views";
import type { ViewRow } from "./list-views";

/** A view as version 1 shows it. */
export function presentViewV1(row: ViewRow): ViewV1 {
  return {
    id: row.id,
    name: row.name,
    page: viewV1.shape.page.parse(row.page),
    query: row.query,
    is_shared: row.organizational_unit_id !== null,
    organizational_unit_id: row.organizational_unit_id,
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/views/${row.id}`) },
  };
}

/** A view as the audit trail has it. What a private one is called, and what it asks for, is for its person alone. */
export function auditedView(row: ViewRow): Partial<ViewV1> {
  const { id, page, is_shared, ...others } = presentViewV1(row);
  return is_shared ? { id, page, is_shared, ...others } : { id, page, is_shared };
}
