import type { Kysely } from "kysely";
import type { Columns } from "../columns";

/** Until when the service is known to have listened, and when it did not. */
export async function up(db: Kysely<unknown>, _columns: Columns): Promise<void> {
  await db.schema
    .createTable("listening")
    .addColumn("id", "integer", (c) => c.primaryKey())
    .addColumn("noted_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("unwatched_times")
    .addColumn("until_at", "bigint", (c) => c.notNull())
    .addColumn("from_at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("unwatched_times_key", ["until_at", "from_at"])
    .execute();
}
