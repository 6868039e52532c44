import type { Caller } from "../access/caller";
import type { AuditActor } from "./record-event";

/** Who acts, for the audit trail. */
export function actorOf(address: string | null, caller: Caller): AuditActor {
  if (caller.kind === "command_line") return { kind: "command_line", user_id: null, token_id: null, address: null };
  return {
    kind: caller.userId === null ? "service" : "user",
    user_id: caller.userId,
    token_id: caller.kind === "session" ? null : caller.tokenId,
    address,
  };
}
