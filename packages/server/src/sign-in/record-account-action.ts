import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Use } from "../access/tokens/token-use";
import { topmostUnit } from "../access/unit-paths";
import { recordEvent } from "../audit/record-event";
import type { Queries } from "../database/database";
import type { SignInParts } from "./sign-in-parts";

/** The client of a sign-in, or of a change of credentials. */
export interface ClientInfo extends Use {
  requestId: string;
}

/** An action of a user on their own account. */
export interface AccountAction {
  operation: string;
  userId: string;
  before?: unknown;
  after?: unknown;
}

/** Records an action of a user on their own account, in its transaction. */
export async function recordAccountAction(
  db: Queries,
  { sealer, clock }: Pick<SignInParts, "sealer" | "clock">,
  { address, requestId }: ClientInfo,
  { operation, userId, before, after }: AccountAction,
): Promise<void> {
  await recordEvent(db, sealer, {
    at: clock(),
    actor: { kind: "user", user_id: userId, token_id: null, address },
    operation,
    object: { type: "user", id: userId },
    unitId: (await topmostUnit(db, userId)) ?? rootUnitId,
    requestId,
    result: "done",
    before,
    after,
  });
}

/** Records a refused sign-in in the audit trail; equal ones are counted together. */
export function noteRefusedAccountAction(
  { refusals, clock }: Pick<SignInParts, "refusals" | "clock">,
  { address, requestId }: ClientInfo,
  { operation, userId, reason }: { operation: string; userId: string | undefined; reason: string },
): void {
  refusals.note({
    at: clock(),
    actor: { kind: "nobody", user_id: null, token_id: null, address },
    operation,
    object: { type: "user", id: userId ?? null },
    unitId: rootUnitId,
    aboutUser: userId,
    requestId,
    result: "refused",
    reason,
  });
}
