import type { Kysely } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("task_changes")
    .addColumn("number", columns.sequence, columns.isKey)
    .addColumn("task_id", columns.text)
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("before", columns.text)
    .addColumn("changed_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("task_changes_by_changed_at").on("task_changes").column("changed_at").execute();
}
