import type { Condition } from "@holdfast/api/conventions/filter";
import type { WebhookDeliveryFilterField } from "@holdfast/api/resources/webhook-deliveries";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { WebhookDeliveryTable } from "../../../database/schema";
import { compareExactly, compareTime } from "../../../lists/comparisons";
import type { ListScope } from "../../../lists/list-source";
import { createTableSource } from "../../../lists/table-source";

export const deliveryColumns = [
  "seq",
  "id",
  "webhook_id",
  "event",
  "task_id",
  "event_count",
  "state",
  "due_at",
  "attempt_count",
  "attempts",
  "created_at",
] as const;

/** A delivery as it is stored, as far as it is shown. */
export type DeliveryRow = Pick<Selectable<WebhookDeliveryTable>, (typeof deliveryColumns)[number]>;

/** Lists deliveries, newest first: those of webhooks in the unit and below. */
export const deliverySource = createTableSource<DeliveryRow, WebhookDeliveryFilterField>({
  table: "webhook_deliveries",
  key: "seq",
  id: "id",
  arrival: "seq",
  order: "down",
  columns: deliveryColumns,
  scope: ({ unitId }: ListScope) => [
    sql<SqlBool>`webhook_deliveries.webhook_id in (
      select id from webhooks where organizational_unit_id in
        (select unit_id from organizational_unit_paths where ancestor_id = ${unitId}))`,
  ],
  compare: compareDelivery,
});

function compareDelivery(condition: Condition<WebhookDeliveryFilterField>): Expression<SqlBool> {
  // Deliveries are looked through in the order of their numbers: by time, each step would pass over all of them.
  return condition.field === "created_timestamp"
    ? compareTime("webhook_deliveries.created_at", condition, { byIndex: false })
    : compareExactly(`webhook_deliveries.${condition.field}`, condition);
}
