import type { Kysely } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("task_logs")
    .addColumn("task_id", columns.text, (c) => c.primaryKey())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("size", "bigint", (c) => c.notNull())
    .execute();
  // Old logs are removed, the oldest first.
  await db.schema.createIndex("task_logs_by_created_at").on("task_logs").columns(["created_at", "task_id"]).execute();
  await db.schema
    .createTable("task_log_pieces")
    .addColumn("task_id", columns.text, (c) => c.notNull())
    .addColumn("starts_at", "bigint", (c) => c.notNull())
    .addColumn("ends_at", "bigint", (c) => c.notNull())
    .addColumn("text", columns.text, (c) => c.notNull())
    .addPrimaryKeyConstraint("task_log_pieces_key", ["task_id", "starts_at"])
    .execute();
}
