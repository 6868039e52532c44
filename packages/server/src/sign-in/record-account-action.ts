import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { Use } from "../access/tokens/token-use";
import { topUnit } from "../access/unit-paths";
import { recordEvents } from "../audit/record-event";
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
  parts: Pick<SignInParts, "sealer" | "clock">,
  client: ClientInfo,
  action: AccountAction,
): Promise<void> {
  await recordIn(db, parts, client, action, [(await topUnit(db, action.userId)) ?? rootUnitId]);
}

/** Records a change of an account in every unit in which the user holds a role: each of them has an event. */
export async function recordAccountChange(
  db: Queries,
  parts: Pick<SignInParts, "sealer" | "clock">,
  client: ClientInfo,
  action: AccountAction,
): Promise<void> {
  const held = await db
    .selectFrom("role_grants")
    .select("organizational_unit_id")
    .distinct()
    .where("user_id", "=", action.userId)
    .orderBy("organizational_unit_id")
    .execute();
  const units = held.map((grant) => grant.organizational_unit_id);
  await recordIn(db, parts, client, action, units);
}

async function recordIn(
  db: Queries,
  { sealer, clock }: Pick<SignInParts, "sealer" | "clock">,
  { address, requestId }: ClientInfo,
  { operation, userId, before, after }: AccountAction,
  unitIds: readonly string[],
): Promise<void> {
  const event = {
    at: clock(),
    actor: { kind: "user", user_id: userId, token_id: null, address },
    operation,
    object: { type: "user", id: userId },
    requestId,
    result: "done",
    before,
    after,
  } as const;
  await recordEvents(
    db,
    sealer,
    unitIds.map((unitId) => ({ ...event, unitId })),
  );
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
