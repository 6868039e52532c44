import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import { type PingKeyV1, pingKeyV1 } from "@holdfast/api/resources/ping-keys";
import type { PingKeyRow } from "./list-ping-keys";

/** A ping key as version 1 shows it: without the key. */
export function presentPingKeyV1(row: PingKeyRow): PingKeyV1 {
  return {
    id: row.id,
    name: row.name,
    organizational_unit_id: row.organizational_unit_id,
    category: pingKeyV1.shape.category.parse(row.category),
    type: row.type,
    may_create: row.may_create === 1,
    default_period_seconds: row.default_period_seconds,
    created_timestamp: formatTimestamp(row.created_at),
    _links: { self: getLink(`/ping-keys/${row.id}`) },
  };
}
