import { type Action, recordAction } from "@holdfast/server/audit/record-action";
import type { Queries } from "@holdfast/server/database/database";
import type { OpenedForCommand } from "./open-for-command";

/** Records the action of a command in the audit trail, in the transaction of the action. */
export async function recordCommand(
  db: Queries,
  { sealer, now }: Pick<OpenedForCommand, "sealer" | "now">,
  action: Action,
): Promise<void> {
  await recordAction(db, { kind: "command_line", sealer, at: now }, action);
}
