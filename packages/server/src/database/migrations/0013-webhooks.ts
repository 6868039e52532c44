import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("webhooks")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("name", columns.text, (c) => c.notNull())
    .addColumn("name_lower", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("kind", columns.text, (c) => c.notNull())
    .addColumn("url", columns.text)
    .addColumn("sealed_authorization", columns.text)
    .addColumn("sealed_secret", columns.text)
    .addColumn("sealed_old_secret", columns.text)
    .addColumn("old_secret_until", "bigint")
    .addColumn("recipient_user_ids", columns.text, (c) => c.notNull())
    .addColumn("events", columns.text, (c) => c.notNull())
    .addColumn("filter", columns.text)
    .addColumn("is_enabled", "integer", (c) => c.notNull())
    .addColumn("disabled_reason", columns.text)
    .addColumn("last_success_at", "bigint")
    .addColumn("failures_in_a_row", "integer", (c) => c.notNull())
    .addColumn("failing_since", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("webhooks_in_order").on("webhooks").columns(["name_lower", "id"]).execute();
  await db.schema.createIndex("webhooks_by_unit").on("webhooks").column("organizational_unit_id").execute();
  // Without a reference to the webhook: what a deleted one leaves is removed in small steps.
  await db.schema
    .createTable("webhook_deliveries")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("webhook_id", columns.text, (c) => c.notNull())
    .addColumn("event", columns.text, (c) => c.notNull())
    .addColumn("task_id", columns.text)
    .addColumn("event_count", "integer", (c) => c.notNull())
    .addColumn("payload", columns.text, (c) => c.notNull())
    .addColumn("state", columns.text, (c) => c.notNull())
    .addColumn("due_at", "bigint")
    .addColumn("claimed_by", columns.text)
    .addColumn("is_first", "integer", (c) => c.notNull())
    .addColumn("failures", "integer", (c) => c.notNull())
    .addColumn("attempt_count", "integer", (c) => c.notNull())
    .addColumn("attempts", columns.text, (c) => c.notNull())
    .addColumn("reached_user_ids", columns.text, (c) => c.notNull())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  // What waits or is being sent, which is little of what there is: in the order of events, and by when it is due.
  await db.schema
    .createIndex("webhook_deliveries_first")
    .on("webhook_deliveries")
    .columns(["webhook_id", "is_first", "seq"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await db.schema
    .createIndex("webhook_deliveries_due")
    .on("webhook_deliveries")
    .columns(["webhook_id", "due_at"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  // What people look for, and what is removed.
  await db.schema
    .createIndex("webhook_deliveries_by_webhook")
    .on("webhook_deliveries")
    .columns(["webhook_id", "event", "created_at"])
    .execute();
  await db.schema.createIndex("webhook_deliveries_by_task").on("webhook_deliveries").column("task_id").execute();
  await db.schema.createIndex("webhook_deliveries_by_time").on("webhook_deliveries").column("created_at").execute();
}
