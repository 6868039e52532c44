import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";

/** What is expected to run, how it is heard of, and the runs that pings have reported. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  // The index on it is built with the other indexes of tasks.
  await db.schema.alterTable("tasks").addColumn("monitor_id", columns.text).execute();
  await createMonitors(db, columns);
  await createPingKeys(db, columns);
  await createPingRuns(db, columns);
}

async function createMonitors(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("monitors")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("name", columns.text, (c) => c.notNull())
    .addColumn("name_lower", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("slug", columns.text, (c) => c.notNull())
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("primary_entity", "text", (c) => c.notNull())
    .addColumn("schedule", "text")
    .addColumn("grace_seconds", "integer", (c) => c.notNull())
    .addColumn("run_limit_seconds", "integer", (c) => c.notNull())
    .addColumn("body_rules", "text")
    .addColumn("paused_until", "bigint")
    .addColumn("state", columns.text, (c) => c.notNull())
    .addColumn("state_rank", "integer", (c) => c.notNull())
    .addColumn("is_down", "integer", (c) => c.notNull())
    .addColumn("open_runs", "integer", (c) => c.notNull())
    .addColumn("watched_from_at", "bigint", (c) => c.notNull())
    .addColumn("next_expected_at", "bigint")
    .addColumn("grace_counts_from_at", "bigint")
    .addColumn("next_check_at", "bigint")
    .addColumn("last_begun_at", "bigint")
    .addColumn("last_ping_at", "bigint")
    .addColumn("last_task_id", columns.text)
    .addColumn("missed_in_a_row", "integer", (c) => c.notNull())
    .addColumn("last_unwatched_at", "bigint")
    .addColumn("recent_outcomes", "text", (c) => c.notNull())
    .addColumn("url_hash", columns.text, (c) => c.notNull().unique())
    .addColumn("sealed_url", "text", (c) => c.notNull())
    .addColumn("previous_url_hash", columns.text)
    .addColumn("previous_url_ends_at", "bigint")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .addUniqueConstraint("monitors_slug", ["organizational_unit_id", "slug"])
    .execute();
  await db.schema.createIndex("monitors_in_order").on("monitors").columns(["name_lower", "id"]).execute();
  await db.schema.createIndex("monitors_by_state").on("monitors").columns(["state_rank", "name_lower", "id"]).execute();
  // What the service looks at when its moment comes.
  await db.schema
    .createIndex("monitors_by_next_check")
    .on("monitors")
    .columns(["next_check_at", "id"])
    .where(sql.ref("next_check_at"), "is not", null)
    .execute();
  await db.schema
    .createIndex("monitors_by_previous_url")
    .on("monitors")
    .column("previous_url_hash")
    .where(sql.ref("previous_url_hash"), "is not", null)
    .execute();
}

async function createPingKeys(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("ping_keys")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("name", columns.text, (c) => c.notNull())
    .addColumn("name_folded", columns.text, (c) => c.notNull())
    .addColumn("key_hash", columns.text, (c) => c.notNull().unique())
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("may_create", "integer", (c) => c.notNull())
    .addColumn("default_period_seconds", "integer")
    .addColumn("created_at", "bigint", (c) => c.notNull())
    .execute();
  await db.schema.createIndex("ping_keys_in_order").on("ping_keys").columns(["created_at", "id"]).execute();
  await db.schema.createIndex("ping_keys_by_unit").on("ping_keys").columns(["organizational_unit_id", "id"]).execute();
}

async function createPingRuns(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("ping_runs")
    .addColumn("task_id", columns.text, (c) => c.primaryKey())
    .addColumn("monitor_id", columns.text, (c) => c.notNull().references("monitors.id").onDelete("cascade"))
    .addColumn("rid", columns.text)
    .addColumn("begun_at", "bigint", (c) => c.notNull())
    .addColumn("ended_at", "bigint")
    .addColumn("end_signal", columns.text)
    .addColumn("body_bytes", "integer", (c) => c.notNull())
    .addColumn("body_hash", columns.text)
    .execute();
  await db.schema.createIndex("ping_runs_by_monitor").on("ping_runs").columns(["monitor_id", "begun_at"]).execute();
  await db.schema
    .createIndex("ping_runs_by_rid")
    .on("ping_runs")
    .columns(["monitor_id", "rid"])
    .where(sql.ref("rid"), "is not", null)
    .execute();
}
