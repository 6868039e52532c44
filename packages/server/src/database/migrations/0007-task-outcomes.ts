import { type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "../adapter";
import type { Columns } from "../columns";
import { watchTable } from "../watch-table";

/** Keeps how a task ended in columns beside its document, and counts tasks by it. */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await addColumns(db, columns);
  for (const table of ["task_totals", "task_days", "task_hours"]) await db.schema.dropTable(table).execute();
  await createTotals(db, columns);
  await createDays(db, columns);
  await createHours(db, columns);
  for (const table of ["task_totals", "task_days"] as const) await watchTable(db, table);
  // The triggers were away while all of this was written.
  await sql`update domain_versions set version = version + 1 where domain = 'tasks'`.execute(db);
}

async function addColumns(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await db.schema
    .alterTable("tasks")
    .addColumn("outcome", columns.text, (c) => c.notNull().defaultTo(""))
    .execute();
  await db.schema.alterTable("tasks").addColumn("error_code", columns.text).execute();
  const { adapter } = db.getExecutor();
  const isPostgres = adapter instanceof OurPostgresAdapter;
  const isWatched = !isPostgres || adapter.hasPartitions;
  // It would count every row, and PostgreSQL changes no table for which triggers are still to run.
  if (isWatched) await sql`drop trigger tasks_count_update ${isPostgres ? sql`on tasks` : sql``}`.execute(db);
  const [outcome, code] = isPostgres
    ? [sql`document::json ->> 'outcome'`, sql`document::json -> 'error' ->> 'code'`]
    : [sql`document ->> '$.outcome'`, sql`document ->> '$.error.code'`];
  await sql`update tasks set outcome = coalesce(${outcome}, ''), error_code = ${code}
    where ${outcome} is not null or ${code} is not null`.execute(db);
  await watchTable(db, "tasks");
}

async function createTotals(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const key = ["organizational_unit_id", "category", "type", "status", "outcome"] as const;
  await db.schema
    .createTable("task_totals")
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("outcome", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addColumn("last_seq", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_totals_key", [...key])
    .execute();
  const kinds = sql.join(key.map((column) => sql.ref(column)));
  await sql`
    insert into task_totals (${kinds}, count, last_seq)
    select ${kinds}, count(*), max(seq) from tasks group by ${kinds}`.execute(db);
}

async function createDays(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const key = ["organizational_unit_id", "category", "type", "status", "outcome"] as const;
  await db.schema
    .createTable("task_days")
    .addColumn("day", "integer", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("type", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("outcome", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_days_key", ["day", ...key])
    .execute();
  await fill(db, "task_days", "day", 86_400_000, key);
}

async function createHours(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const key = ["organizational_unit_id", "category", "status", "outcome"] as const;
  await db.schema
    .createTable("task_hours")
    .addColumn("hour", "integer", (c) => c.notNull())
    .addColumn("organizational_unit_id", columns.text, (c) => c.notNull().references("organizational_units.id"))
    .addColumn("category", columns.text, (c) => c.notNull())
    .addColumn("status", columns.text, (c) => c.notNull())
    .addColumn("outcome", columns.text, (c) => c.notNull())
    .addColumn("count", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("task_hours_key", ["hour", ...key])
    .execute();
  await fill(db, "task_hours", "hour", 3_600_000, key);
}

/** Counts the tasks by the stretch of time in which they were created. */
async function fill(
  db: Kysely<unknown>,
  table: string,
  stretch: string,
  length: number,
  key: readonly string[],
): Promise<void> {
  const kinds = sql.join(key.map((column) => sql.ref(column)));
  // Every database divides whole numbers its own way.
  const number = sql`(created_at - created_at % ${sql.lit(length)}) / ${sql.lit(length)}`;
  await sql`
    insert into ${sql.table(table)} (${sql.ref(stretch)}, ${kinds}, count)
    select cast(${number} as integer), ${kinds}, count(*) from tasks group by 1, ${kinds}`.execute(db);
}
