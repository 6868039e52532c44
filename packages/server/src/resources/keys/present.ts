import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { KeyV1 } from "@holdfast/api/resources/keys";
import type { KeyRow } from "./list-keys";

/** A key as version 1 shows it: its public half alone. */
export function presentKeyV1(row: KeyRow): KeyV1 {
  const moment = (at: number | null) => (at === null ? null : formatTimestamp(at));
  return {
    id: row.kid,
    is_signing: row.replaced_at === null,
    public_key: JSON.parse(row.public_key),
    created_timestamp: formatTimestamp(row.created_at),
    replaced_timestamp: moment(row.replaced_at),
    expires_timestamp: moment(row.expires_at),
    _links: { self: getLink(`/keys/${row.kid}`) },
  };
}
