import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

/** Monitors that follow an operation of what they protect: tasks which name no monitor are their runs. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema.alterTable("monitors").addColumn("operation", columns.text).execute();
  await db.schema
    .createIndex("monitors_by_operation")
    .on("monitors")
    .columns(["organizational_unit_id", "operation"])
    .where(sql.ref("operation"), "is not", null)
    .execute();
}
