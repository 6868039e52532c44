import type { Kysely } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("serving_processes")
    .addColumn("id", columns.text, (c) => c.primaryKey())
    .addColumn("base_url", columns.text, (c) => c.notNull())
    .addColumn("host", columns.text, (c) => c.notNull())
    .addColumn("pid_namespace", columns.text, (c) => c.notNull())
    .addColumn("pid", "bigint", (c) => c.notNull())
    .addColumn("seen_at", "bigint", (c) => c.notNull())
    .execute();
}
