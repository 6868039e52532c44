import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "../adapter";
import type { Columns } from "../columns";
import { watchTable } from "../watch-table";

const week = sql.raw("created_at / 604800000");
const unit = "organizational_unit_id";

/**
 * Counts the tasks of each entity by week, and all tasks by quarters of an hour, so that a filter on names needs neither all tasks nor a memory of them. Nothing notes
 * the history of hours any more. On SQLite, counts lie in the order in which they are added up.
 */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const isPostgres = db.getExecutor().adapter instanceof OurPostgresAdapter;
  await dropHistory(db, isPostgres);
  await clustered(db.schema.createTable("entity_weeks"), isPostgres)
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
  await countQuarters(db, columns, isPostgres);
  if (isPostgres) return;
  const kind = ["category", "type", "status", "outcome"];
  await rebuild(db, "task_totals", [unit, ...kind], [unit, ...kind], ["count", "last_seq"]);
  await rebuild(db, "task_days", ["day", unit, ...kind], ["day", ...kind.toReversed(), unit], ["count"]);
  // With the entity, so that a filter on many of them reads this index alone.
  await db.schema.dropIndex("tasks_in_order").execute();
  await db.schema.createIndex("tasks_in_order").on("tasks").columns(["created_at", "id", "entity_key"]).execute();
}

/** Rows of SQLite lie in the order of their key: without a number of their own, they are found in one step instead of two. */
function clustered<Table extends CreateTableBuilder<string, string>>(table: Table, isPostgres: boolean) {
  return isPostgres ? table : table.modifyEnd(sql`without rowid`);
}

/** Counts tasks in quarters of an hour instead of hours: days begin at one of these in every time zone. */
async function countQuarters(db: Kysely<unknown>, columns: Columns, isPostgres: boolean): Promise<void> {
  const kind = sql.raw("organizational_unit_id, category, status, outcome, lane");
  const quarter = sql.raw("created_at / 900000");
  await db.schema.dropTable("task_hours").execute();
  await clustered(db.schema.createTable("task_quarters"), isPostgres)
    .addColumn("quarter", "integer", (c) => c.notNull())
    .addColumn(unit, columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("outcome", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addColumn("lane", "smallint", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint("task_quarters_key", ["quarter", "outcome", "status", "category", unit, "lane"])
    .execute();
  await sql`
    insert into task_quarters (quarter, ${kind}, count)
    select ${quarter}, ${kind}, count(*) from tasks group by ${quarter}, ${kind}`.execute(db);
  if (isPostgres) {
    await sql`alter table task_quarters alter column lane
      set default coalesce(nullif(current_setting('holdfast.lane', true), ''), '0')::smallint`.execute(db);
  }
  await watchTable(db, "task_quarters");
}

/** Makes a table of counts again, whose rows then lie in the order of the key. */
async function rebuild(
  db: Kysely<unknown>,
  table: "task_totals" | "task_days",
  columns: readonly string[],
  key: readonly string[],
  counts: readonly string[],
): Promise<void> {
  const made = `${table}_in_order`;
  let creation = clustered(db.schema.createTable(made), false);
  for (const name of columns) {
    creation = creation.addColumn(name, name === "day" ? "integer" : "text", (c) =>
      name === unit ? c.notNull().references("organizational_units.id") : c.notNull(),
    );
  }
  for (const name of counts) creation = creation.addColumn(name, "bigint", (c) => c.notNull());
  await creation
    .addColumn("lane", "smallint", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint(`${made}_key`, [...key, "lane"])
    .execute();
  const all = sql.join([...columns, ...counts, "lane"].map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(made)} (${all}) select ${all} from ${sql.table(table)}`.execute(db);
  await db.schema.dropTable(table).execute();
  await db.schema.alterTable(made).renameTo(table).execute();
  await watchTable(db, table);
}

async function dropHistory(db: Kysely<unknown>, isPostgres: boolean): Promise<void> {
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
  if (!isPostgres) return;
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
