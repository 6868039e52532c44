import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Retirement } from "../../access/tokens/signing-keys";
import type { AuditView } from "../../operations/change";

/** The audit view of a retired key in the root. */
interface RetiredKey {
  /** The key that takes over, where it was the one that signs. */
  signs_from_now_on?: string;
  revoked_api_tokens: number;
}

/** The audit views of a key that was retired: all in the root, and in each unit which of its tokens have ended. */
export function auditViewsOfRetirement({ successor, revoked }: Retirement): [AuditView, ...AuditView[]] {
  const count = [...revoked.values()].reduce((sum, tokens) => sum + tokens.length, 0);
  const after: RetiredKey = {
    ...(successor === undefined ? {} : { signs_from_now_on: successor }),
    revoked_api_tokens: count,
  };
  const parts = [...revoked].map(([unitId, tokens]) => ({ unitId, after: { revoked_api_token_ids: tokens } }));
  return [{ unitId: rootUnitId, after }, ...parts];
}
