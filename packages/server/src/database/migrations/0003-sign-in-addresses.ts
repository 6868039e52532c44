import type { Kysely } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("sign_in_addresses")
    .addColumn("user_id", columns.text, (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("network", columns.text, (c) => c.notNull())
    .addColumn("last_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("sign_in_addresses_key", ["user_id", "network"])
    .execute();
  await db.schema.createIndex("sign_in_addresses_by_age").on("sign_in_addresses").columns(["last_at"]).execute();
}
