import type { Condition } from "@holdfast/api/conventions/filter";
import type { WebhookFilterField } from "@holdfast/api/resources/webhooks";
import { type Expression, type Selectable, type SqlBool, sql } from "kysely";
import type { WebhookTable } from "../../database/schema";
import { compareExactly, compareFolded } from "../../lists/comparisons";
import type { ListScope } from "../../lists/list-source";
import { createTableSource } from "../../lists/table-source";

const columns = [
  "id",
  "name",
  "name_lower",
  "organizational_unit_id",
  "kind",
  "url",
  "sealed_authorization",
  "sealed_secret",
  "recipient_user_ids",
  "events",
  "filter",
  "remind_after",
  "is_enabled",
  "disabled_reason",
  "last_success_at",
  "failures_in_a_row",
  "created_at",
] as const;

/** A webhook as it is stored, as far as it is shown or changed. */
export type WebhookRow = Pick<Selectable<WebhookTable>, (typeof columns)[number]>;

/** Lists webhooks by name. */
export const webhookSource = createTableSource<WebhookRow, WebhookFilterField>({
  table: "webhooks",
  key: "name_lower",
  id: "id",
  arrival: "seq",
  order: "up",
  columns,
  scope: ({ unitId }: ListScope) => [
    sql<SqlBool>`webhooks.organizational_unit_id in
      (select unit_id from organizational_unit_paths where ancestor_id = ${unitId})`,
  ],
  compare: compareWebhook,
});

function compareWebhook(condition: Condition<WebhookFilterField>): Expression<SqlBool> {
  return condition.field === "name"
    ? compareFolded("webhooks.name_folded", condition)
    : compareExactly(`webhooks.${condition.field}`, condition);
}
