import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "../adapter";
import type { Columns } from "../columns";
import { countInLanes, watchTable } from "../watch-table";
import { createHistory } from "./watch-history";

const kind = ["organizational_unit_id", "category", "type", "status", "outcome"] as const;
const hourKind = ["organizational_unit_id", "category", "status", "outcome"] as const;
/** The tables of counts: what stretch of time a row is of, what is counted, and what is kept beside the count. */
const counts = [
  { table: "task_totals", stretch: [], kind, kept: ["count", "last_seq"] },
  { table: "task_days", stretch: ["day"], kind, kept: ["count"] },
  { table: "task_hours", stretch: ["hour"], kind: hourKind, kept: ["count"] },
] as const;

/** The lane of the transaction; see `take_lane`. After a transaction that had one, the setting is an empty text. */
const ownLane = sql`coalesce(nullif(current_setting('holdfast.lane', true), ''), '0')::smallint`;

/**
 * Numbers tasks and counts them in lanes, so that reports of several processes can be written at the same time. Also notes which
 * hours of history are changed, in each lane, so that sums of all others stay remembered.
 */
export async function up(db: Kysely<unknown>, columns: Columns): Promise<void> {
  await addLanes(db, columns);
  await createHistory(db);
}

async function addLanes(db: Kysely<unknown>, columns: Columns): Promise<void> {
  const { adapter } = db.getExecutor();
  const hasLanes = adapter instanceof OurPostgresAdapter && adapter.hasPartitions;
  const tables = ["tasks", ...(hasLanes ? await listPartitions(db) : [])];
  await db.schema
    .alterTable("tasks")
    .addColumn("lane", "smallint", (c) => c.notNull().defaultTo(0))
    .execute();
  for (const count of counts) await addLane(db, columns, count);
  if (!hasLanes) return;
  // Only from now on: what is there is of lane 0. A partition keeps the default that it was made with.
  for (const table of [...tables, ...counts.map((count) => count.table)]) {
    await sql`alter table ${sql.table(table)} alter column lane set default ${ownLane}`.execute(db);
  }
  // Room in each page for what is changed again and again: then the indexes stay as they are.
  await sql`alter table task_leases set (fillfactor = 70)`.execute(db);
  await countInLanes(db);
  await createTurns(db);
}

async function listPartitions(db: Kysely<unknown>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'tasks'::regclass`.execute(db);
  return rows.map(({ name }) => name);
}

/** Not every database can change the key of a table, so the rows go to a new one. */
async function addLane(
  db: Kysely<unknown>,
  columns: Columns,
  { table, stretch, kind, kept }: (typeof counts)[number],
): Promise<void> {
  const made = `${table}_in_lanes`;
  let creation: CreateTableBuilder<string, string> = db.schema.createTable(made);
  for (const name of stretch) creation = creation.addColumn(name, "integer", (c) => c.notNull());
  for (const name of kind) {
    creation = creation.addColumn(name, columns.text, (c) =>
      name === "organizational_unit_id" ? c.notNull().references("organizational_units.id") : c.notNull(),
    );
  }
  for (const name of kept) creation = creation.addColumn(name, "bigint", (c) => c.notNull());
  await creation
    .addColumn("lane", "smallint", (c) => c.notNull().defaultTo(0))
    .addPrimaryKeyConstraint(`${made}_key`, [...stretch, ...kind, "lane"])
    .execute();
  const all = sql.join([...stretch, ...kind, ...kept].map((name) => sql.ref(name)));
  await sql`insert into ${sql.table(made)} (${all}) select ${all} from ${sql.table(table)}`.execute(db);
  await db.schema.dropTable(table).execute();
  await db.schema.alterTable(made).renameTo(table).execute();
  // Nothing watches hours any more: a later step removes them.
  if (table !== "task_hours") await watchTable(db, table);
}

/**
 * The two ways to begin a change. One waits for all others and keeps them out. Reports wait only for those, and take a lane
 * in which no other report is written. Both then publish which numbers of `task_changes` they cannot get: all up to the
 * newest one so far. It is in the key of a lock, because locks are seen by all at once and end with the transaction.
 */
async function createTurns(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function publish_first_change() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared((4835::bigint << 48)
        | coalesce(pg_sequence_last_value(pg_get_serial_sequence('task_changes', 'number')::regclass), 0));
    end $$`.execute(db);
  await sql`
    create function take_turn() returns void language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(4831, 1);
      perform publish_first_change();
    end $$`.execute(db);
  await sql`
    create function take_lane(lanes int) returns int language plpgsql as $$
    declare
      taken int;
    begin
      perform pg_advisory_xact_lock_shared(4831, 1);
      for candidate in 0 .. lanes - 1 loop
        if pg_try_advisory_xact_lock(4834, candidate) then
          taken := candidate;
          exit;
        end if;
      end loop;
      if taken is null then
        taken := floor(random() * lanes);
        perform pg_advisory_xact_lock(4834, taken);
      end if;
      perform set_config('holdfast.lane', taken::text, true);
      -- The leases of new tasks are what keeps their ids unique here.
      perform set_config('holdfast.first_load', 'on', true);
      perform publish_first_change();
      return taken;
    end $$`.execute(db);
}
