import { type Kysely, sql } from "kysely";
import type { Columns } from "../columns";
import { watchTable } from "../watch-table";

/** How what is protected stands, which a later step finds out from the tasks that there are; and what lists of tokens can be sorted by. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await createProtectedEntities(db, columns);
  await sql`insert into domain_versions (domain, version) values ('entities', 0)`.execute(db);
  await watchTable(db, "protected_entities");
  await db.schema.createIndex("api_tokens_by_name").on("api_tokens").columns(["name_folded", "id"]).execute();
  await db.schema.createIndex("api_tokens_by_expiry").on("api_tokens").columns(["expires_at", "id"]).execute();
}

async function createProtectedEntities(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("protected_entities")
    .addColumn("seq", columns.sequence, columns.isKey)
    .addColumn("id", columns.text, (c) => c.notNull().unique())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("entity_hash", columns.text, (c) => c.notNull())
    .addColumn("entity_type", columns.text, (c) => c.notNull())
    .addColumn("entity_id", columns.text, (c) => c.notNull())
    .addColumn("entity_id_folded", columns.text, (c) => c.notNull())
    .addColumn("value", columns.text, (c) => c.notNull())
    .addColumn("value_folded", columns.text, (c) => c.notNull())
    .addColumn("value_at", "bigint", (c) => c.notNull())
    .addColumn("value_task_id", columns.text, (c) => c.notNull())
    .addColumn("sort_name", columns.text, (c) => c.notNull())
    .addColumn("evidence", "text", (c) => c.notNull())
    .addColumn("state", columns.text, (c) => c.notNull())
    .addColumn("state_rank", "integer", (c) => c.notNull())
    .addColumn("last_good_at", "bigint")
    .addColumn("first_seen_at", "bigint", (c) => c.notNull())
    .addColumn("monitor_ids", columns.text, (c) => c.notNull())
    .addColumn("run_monitor_id", columns.text)
    .addColumn("is_expected", "integer", (c) => c.notNull())
    .addColumn("expected_period_seconds", "integer")
    .addColumn("muted_until", "bigint")
    .addColumn("is_retired", "integer", (c) => c.notNull())
    .addUniqueConstraint("protected_entities_place", ["organizational_unit_id", "entity_hash"])
    .execute();
  const index = (name: string) => db.schema.createIndex(`protected_entities_${name}`).on("protected_entities");
  await index("by_state_in_order").columns(["state_rank", "sort_name", "id"]).execute();
  await index("by_name_in_order").columns(["sort_name", "id"]).execute();
  // As the list sorts by it: what has no good backup comes before all that have one.
  await sql`create index protected_entities_by_last_good_in_order
    on protected_entities ((coalesce(last_good_at, -1)), id)`.execute(db);
  // Ids and names of entities are that long in other indexes, too.
  await index("by_entity_id").column("entity_id").execute();
  await index("by_value").column("value").execute();
  // Counting reads this alone: rows are some kilobytes long.
  await index("counted_in_order")
    .columns(["state_rank", "organizational_unit_id", "entity_type", "is_retired", "muted_until"])
    .execute();
  await index("muted").column("muted_until").where(sql.ref("muted_until"), "is not", null).execute();
  await index("by_run_monitor").column("run_monitor_id").where(sql.ref("run_monitor_id"), "is not", null).execute();
}
