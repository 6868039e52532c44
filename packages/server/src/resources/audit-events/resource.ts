import { getLink } from "@holdfast/api/conventions/hal";
import { auditEventFilters, auditEvents } from "@holdfast/api/resources/audit-events";
import type { AuditContent } from "../../audit/record-event";
import { implementRead } from "../../operations/item-read";
import { implementList, type Renderers } from "../../operations/read";
import type { ResourceDescription } from "../resource-description";
import { type AuditEventRow, auditEventSource } from "./list-events";

/** The document is shown as it was hashed, byte for byte, but for the names that older ones do not have. */
const renderers: Renderers<AuditEventRow> = {
  1: ({ id, document, hash }) => {
    const added = JSON.stringify({ hash, _links: { self: getLink(`/audit-events/${id}`) } });
    return `${withNames(document).slice(0, -1)},${added.slice(1)}`;
  },
};

function withNames(document: string): string {
  const { actor, object, ...others }: AuditContent = JSON.parse(document);
  if (actor.name !== undefined) return document;
  return JSON.stringify({ ...others, actor: { ...actor, name: null }, object: object && { ...object, name: null } });
}

/** The audit trail, which nothing changes. */
export const auditEventResource = {
  declaration: auditEvents,
  reads: () => ({
    "list-audit-events": implementList(auditEventSource, auditEventFilters, renderers),
    "read-audit-event": implementRead(
      "audit_event_id",
      ({ db }, scope, id) => auditEventSource.find(db, scope, id),
      "audit event",
      renderers,
    ),
  }),
  changes: {},
  domain: "any",
  tables: {
    audit_events: { move: { key: ["number"] }, domain: null, grows: true, inUnit: "stays" },
    audit_head: { move: { key: ["id"] }, domain: null },
  },
} satisfies ResourceDescription<typeof auditEvents>;
