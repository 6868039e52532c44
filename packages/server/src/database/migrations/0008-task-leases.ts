import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("task_leases")
    .addColumn("task_id", columns.text, (c) => c.primaryKey())
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull())
    .addColumn("holder", columns.text, (c) => c.notNull())
    .addColumn("former_holders", columns.text, (c) => c.notNull())
    .addColumn("claim_id", columns.text)
    .addColumn("attempt", "integer", (c) => c.notNull())
    .addColumn("sequence", "bigint", (c) => c.notNull())
    .addColumn("state", columns.text, (c) => c.notNull())
    .addColumn("lease_seconds", "integer", (c) => c.notNull())
    .addColumn("renewals", "bigint", (c) => c.notNull())
    .addColumn("waited_seconds", "integer", (c) => c.notNull())
    .addColumn("liveness", columns.text, (c) => c.notNull())
    .addColumn("can_abort", "integer", (c) => c.notNull())
    .addColumn("abort_grace_seconds", "integer", (c) => c.notNull())
    .addColumn("abort_requested_at", "bigint")
    .addColumn("abort_reason", columns.text)
    .addColumn("start_by_seconds", "integer", (c) => c.notNull())
    .addColumn("max_duration_seconds", "integer")
    .addColumn("stall_seconds", "integer")
    .addColumn("received_at", "bigint", (c) => c.notNull())
    .addColumn("started_at", "bigint")
    .addColumn("progressed_at", "bigint", (c) => c.notNull())
    .addColumn("log_size", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .execute();
  // What is swept every second, and what is forgotten one day. A heartbeat changes nothing that these have.
  await db.schema
    .createIndex("task_leases_open")
    .on("task_leases")
    .column("task_id")
    .where(sql.ref("ended_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("task_leases_ended")
    .on("task_leases")
    .column("ended_at")
    .where(sql.ref("ended_at"), "is not", null)
    .execute();
}
