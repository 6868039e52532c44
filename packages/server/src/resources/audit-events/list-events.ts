import type { Condition } from "@holdfast/api/conventions/filter";
import { rootUnitId } from "@holdfast/api/conventions/root-unit";
import type { AuditEventFilterField } from "@holdfast/api/resources/audit-events";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { AuditEventTable } from "../../database/schema";
import { compareExactly, compareTime } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource, type TableList } from "../../lists/table-source";

const columns = ["id", "number", "document", "hash"] as const;

/** An event as it is stored. */
export type AuditEventRow = Pick<Selectable<AuditEventTable>, (typeof columns)[number]>;

/** List of audit events: newest first. */
export const auditEventList: TableList<AuditEventRow, AuditEventFilterField> = {
  table: "audit_events",
  key: "number",
  id: "id",
  arrival: "number",
  order: "down",
  columns,
  scope: visibleEvents,
  compare: compareEvent,
};

/** Lists audit events. */
export const auditEventSource = createTableSource(auditEventList);

/** Events of the unit and below. What happened in no unit, or in one that is gone, is seen from the root alone. */
function visibleEvents({ unitId }: ListScope): Expression<SqlBool>[] {
  if (unitId === rootUnitId) return [];
  return [
    sql<SqlBool>`audit_events.organizational_unit_id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ];
}

function compareEvent(condition: Condition<AuditEventFilterField>): Expression<SqlBool> {
  switch (condition.field) {
    case "actor_id":
      return sql<SqlBool>`(${compareExactly("audit_events.actor_user_id", condition)}
        or ${compareExactly("audit_events.actor_token_id", condition)})`;
    case "created_timestamp":
      // Events are looked through in the order of their numbers: by time, each step would pass over all of them.
      return compareTime("audit_events.created_at", condition, { byIndex: false });
    default:
      return compareExactly(`audit_events.${condition.field}`, condition);
  }
}
