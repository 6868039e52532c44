import { getLink } from "@holdfast/api/conventions/hal";
import { formatTimestamp } from "@holdfast/api/conventions/timestamp";
import type { ApiTokenV1 } from "@holdfast/api/resources/api-tokens";
import type { OwnAddresses } from "../../operations/operation-parts";
import type { ApiTokenRow } from "./list-tokens";

/** A token as version 1 shows it: without the token. */
export function presentApiTokenV1(row: ApiTokenRow, addresses: OwnAddresses): ApiTokenV1 {
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    organizational_unit_id: row.organizational_unit_id,
    user_id: row.user_id,
    role_id: row.role_id,
    created_by: row.created_by,
    created_timestamp: formatTimestamp(row.created_at),
    expires_timestamp: formatTimestamp(row.expires_at),
    revoked_timestamp: moment(row.revoked_at ?? row.ends_at),
    base_url: row.base_url,
    is_foreign: isForeign(row, addresses),
    last_used_timestamp: moment(row.last_used_at),
    last_used_address: row.last_used_address,
    last_used_client: row.last_used_client,
    _links: { self: getLink(`/api-tokens/${row.id}`) },
  };
}

/** Returns true if a token is refused because it was issued for an address that this control plane does not have. */
function isForeign({ base_url: issuer }: ApiTokenRow, { baseUrl, baseUrlAliases }: OwnAddresses): boolean {
  return issuer !== null && issuer !== baseUrl && !baseUrlAliases.includes(issuer);
}

function moment(milliseconds: number | null): string | null {
  return milliseconds === null ? null : formatTimestamp(milliseconds);
}
