import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Retirement } from "../../access/tokens/signing-keys";
import type { AuditView } from "../../operations/change";

/** The audit views of a retired key: all in the root, and in each unit its tokens that have ended. */
export function auditViewsOfRetirement({ successor, revoked }: Retirement): [AuditView, ...AuditView[]] {
  const count = [...revoked.values()].reduce((sum, tokens) => sum + tokens.length, 0);
  const after = { ...(successor === undefined ? {} : { signs_from_now_on: successor }), revoked_api_tokens: count };
  const parts = [...revoked].map(([unitId, tokens]) => ({ unitId, after: { revoked_api_token_ids: tokens } }));
  return [{ unitId: rootUnitId, after }, ...parts];
}
