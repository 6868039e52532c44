import type { Queries } from "../database/database";
import type { Sealer } from "../secrets/seal";
import { type AuditEntry, recordEvent } from "./record-event";

/** What is done without anybody asking for it in a request. */
export type Action = Pick<AuditEntry, "operation" | "object" | "unitId" | "before" | "after">;

/** Where an action comes from: somebody at the command line, or the service by itself. */
export interface ActionOrigin {
  kind: "command_line" | "system";
  sealer: Sealer;
  at: number;
}

/** Tells the audit trail what a command or the service itself does, in the transaction in which it is done. */
export async function recordAction(db: Queries, { kind, sealer, at }: ActionOrigin, action: Action): Promise<void> {
  const actor = { kind, user_id: null, token_id: null, address: null };
  await recordEvent(db, sealer, { ...action, at, actor, requestId: null, result: "done" });
}
