import { getLink } from "@holdfast/api/conventions/hal";
import { auditEventFilters } from "@holdfast/api/resources/audit-events";
import { type Implementation, implementList, implementRead, type Renderers } from "../../operations/reading";
import { type AuditEventRow, auditEventSource } from "./list-events";

/** The document is shown as it was hashed, byte for byte. */
const renderers: Renderers<AuditEventRow> = {
  1: ({ id, document, hash }) => {
    const added = JSON.stringify({ hash, _links: { self: getLink(`/audit-events/${id}`) } });
    return `${document.slice(0, -1)},${added.slice(1)}`;
  },
};

export const auditEventReadings: Record<string, Implementation> = {
  "list-audit-events": implementList(auditEventSource, auditEventFilters, renderers),
  "read-audit-event": implementRead(
    "audit_event_id",
    ({ db }, scope, id) => auditEventSource.find(db, scope, id),
    "audit event",
    renderers,
  ),
};
