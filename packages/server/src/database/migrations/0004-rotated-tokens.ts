import type { Kysely } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema.alterTable("api_tokens").addColumn("first_id", columns.text).execute();
}
