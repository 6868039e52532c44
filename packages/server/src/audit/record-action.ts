import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { type AuditEntry, recordEvent } from "./record-event";

/** An action that no request has asked for. */
export type Action = Pick<AuditEntry, "operation" | "object" | "unitId" | "before" | "after">;

/** Where an action comes from: the command line, or the service itself. */
export interface ActionOrigin {
  kind: "command_line" | "system";
  sealer: Sealer;
  at: number;
}

/** Records an action of a command or of the service itself, in the transaction of the action. */
export async function recordAction(db: Queries, { kind, sealer, at }: ActionOrigin, action: Action): Promise<void> {
  const actor = { kind, user_id: null, token_id: null, address: null };
  await recordEvent(db, sealer, { ...action, at, actor, requestId: null, result: "done" });
}
