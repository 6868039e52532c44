import { type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "../adapter";
import type { Columns } from "../columns";

const week = sql.raw("created_at / 604800000");

/**
 * Counts the tasks of each entity by week, so that a filter on names needs neither all tasks nor a memory of them. Nothing notes
 * the history of hours any more.
 */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .createTable("entity_weeks")
    .addColumn("entity_key", "bigint", (c) => c.notNull())
    .addColumn("week", "integer", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("count", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("entity_weeks_key", ["entity_key", "week", "organizational_unit_id"])
    .execute();
  await sql`
    insert into entity_weeks (entity_key, week, organizational_unit_id, count)
    select entity_key, ${week}, organizational_unit_id, count(*) from tasks where entity_key is not null
    group by entity_key, ${week}, organizational_unit_id`.execute(db);
  await dropHistory(db);
}

async function dropHistory(db: Kysely<unknown>): Promise<void> {
  const { adapter } = db.getExecutor();
  const isPostgres = adapter instanceof OurPostgresAdapter;
  const onTasks = ["tasks_history_update", "tasks_history_moved", "tasks_history_removed"];
  const onHours = ["task_hours_history", "task_hours_history_removed"];
  const onEntities = ["entities_history_update", "entities_history_insert"];
  const ofSqlite = ["task_hours_history_insert", "task_hours_history_update", "task_hours_history_delete"];
  const triggers = [
    ...onTasks.map((name) => ({ name, table: "tasks" })),
    ...[...onHours, ...ofSqlite].map((name) => ({ name, table: "task_hours" })),
    ...onEntities.map((name) => ({ name, table: "entities" })),
  ];
  for (const { name, table } of triggers) {
    await sql`drop trigger if exists ${sql.id(name)} ${isPostgres ? sql`on ${sql.table(table)}` : sql``}`.execute(db);
  }
  for (const name of ["history_hours", "history_lanes"]) await db.schema.dropTable(name).ifExists().execute();
  if (!isPostgres) {
    // With the entity, so that a filter on many of them reads this index alone.
    await db.schema.dropIndex("tasks_in_order").execute();
    await db.schema.createIndex("tasks_in_order").on("tasks").columns(["created_at", "id", "entity_key"]).execute();
    return;
  }
  for (const name of [
    "note_history_as",
    "note_history_of_hours",
    "note_history_of_tasks",
    "note_history_of_entities",
  ]) {
    await sql`drop function if exists ${sql.id(name)}()`.execute(db);
  }
  await sql`drop function if exists note_history(bigint)`.execute(db);
}
