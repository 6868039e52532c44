import type { Queries } from "@holdfast/server/database/database";
import { type AuditEntry, recordEvent } from "@holdfast/server/observe/audit/record-event";
import type { OpenedForCommand } from "./open-for-command";

/** What a command does, for the audit trail. */
export type Action = Pick<AuditEntry, "operation" | "object" | "unitId" | "before" | "after">;

/** Tells the audit trail what a command does, in the transaction in which it does it. */
export async function recordAction(
  db: Queries,
  { sealer, now }: Pick<OpenedForCommand, "sealer" | "now">,
  action: Action,
): Promise<void> {
  const actor = { kind: "command_line", user_id: null, token_id: null, address: null };
  await recordEvent(db, sealer, { ...action, at: now, actor, requestId: null, result: "done" });
}
