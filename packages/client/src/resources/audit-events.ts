import { type Calls, readItem } from "../calls";
import type { FilterOf, ItemOf } from "../declared";
import { type ListOptions, listItems } from "../list-items";
import type { Listing } from "../listing";
import type { CallOptions } from "../transport";

type AuditEvent = ItemOf<"audit-events", "read-audit-event">;

/** Who did or tried what, when and to what. */
export interface AuditEvents {
  /**
   * Lists the audit events of the organizational unit and below it, newest first.
   * @example
   * const refused = await holdfast.auditEvents.list({ filter: { result: "refused" } }).first(20);
   */
  list(options?: ListOptions<FilterOf<"audit-events", "list-audit-events">>): Listing<AuditEvent>;
  /**
   * Reads one audit event.
   * @example
   * const { actor, operation } = await holdfast.auditEvents.read(auditEventId);
   */
  read(id: string, options?: CallOptions): Promise<AuditEvent>;
}

export function createAuditEvents(calls: Calls): AuditEvents {
  return {
    list: (options = {}) => listItems(calls, "audit-events", "list-audit-events", options),
    read: (id, options = {}) => readItem(calls, "audit-events", "read-audit-event", { ...options, ids: [id] }),
  };
}
