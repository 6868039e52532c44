import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import { hasPartitions } from "../adapter";
import type { Queries } from "../database";
import { UnusableDatabase } from "../errors";
import { type Month, monthOf } from "../month";

/** Numbers that no other program is likely to lock: while partitions are made, are removed, and while ids are claimed. */
const partitionLock = sql`select pg_advisory_xact_lock(4831, 2)`;
const removalLock = sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(4831, 4) as is_free`;
const idLocks = 4832;

/**
 * Creates the table of tasks in partitions, one for each month. Such a table can only be unique by what it is divided by,
 * so a trigger keeps ids unique: it locks the ids of new tasks, and then searches for existing ones.
 */
export async function createPartitionedTasks(
  db: Kysely<unknown>,
  tasks: CreateTableBuilder<"tasks", string>,
): Promise<void> {
  await tasks
    .addPrimaryKeyConstraint("tasks_key", ["created_at", "id"])
    .modifyEnd(sql`partition by range (created_at)`)
    .execute();
  await db.schema.createIndex("tasks_by_id").on("tasks").column("id").execute();
  // Otherwise the database takes every task for a day of its own, and sorts all of them to count them by day.
  await sql`create statistics tasks_by_day on (created_at / 86400000) from tasks`.execute(db);
  await sql`
    create function refuse_known_task_ids() returns trigger language plpgsql as $$
    declare
      known text;
    begin
      perform pg_advisory_xact_lock(${sql.lit(idLocks)}, part)
        from (select distinct hashtext(id) & 255 as part from fresh order by part) as parts;
      select id into known from fresh
        where (select count(*) from (select from tasks where tasks.id = fresh.id limit 2) as found) > 1
        limit 1;
      if found then
        raise unique_violation using message = format('There is a task with the id %s already.', known);
      end if;
      return null;
    end $$`.execute(db);
  await sql`
    create trigger tasks_have_new_ids after insert on tasks referencing new table as fresh for each statement
    when (current_setting('holdfast.first_load', true) is distinct from 'on')
    execute function refuse_known_task_ids()`.execute(db);
}

/** Refuses tables that were made for the other kind of database: tasks would find no place in them. */
export async function refuseOtherKind(db: Queries): Promise<void> {
  const { rows } = await sql<{ relkind: string }>`select relkind from pg_class where oid = 'tasks'::regclass`.execute(
    db,
  );
  const arePartitioned = rows[0]?.relkind === "p";
  if (arePartitioned === hasPartitions(db)) return;
  const [made, taken] = arePartitioned ? ["postgresql", "distributed"] : ["distributed", "postgresql"];
  throw new UnusableDatabase(
    `The tables were made with database_kind=${made}, and it is ${taken} now. Set it to ${made}, or name another database.`,
  );
}

/** Lets tasks be added in this transaction without looking for their ids: before the first load there are none. */
export async function trustTaskIds(db: Queries): Promise<void> {
  if (hasPartitions(db)) await sql`set local holdfast.first_load = 'on'`.execute(db);
}

/** Makes the partitions that are missing for tasks that were created at these times, where there are partitions. */
export async function makeRoomForTasks(db: Queries, times: readonly number[]): Promise<void> {
  if (!hasPartitions(db) || times.length === 0) return;
  const months = [...new Map(times.map((time) => monthOf(time)).map((month) => [month.label, month])).values()];
  // No partition is removed from now on until these tasks are in it.
  await sql`lock table only tasks in row exclusive mode`.execute(db);
  if ((await missingPartitions(db, months)).length === 0) return;
  await partitionLock.execute(db);
  for (const month of await missingPartitions(db, months)) await createPartition(db, month);
}

/** The months for which there are partitions, oldest first. */
export async function listPartitions(db: Queries): Promise<Month[]> {
  const names = await partitionNames(db);
  return names
    .sort()
    .map((name) => monthOf(Date.UTC(Number(name.slice("tasks_".length, -2)), Number(name.slice(-2)) - 1)));
}

/**
 * Keeps a partition as it is until the end of the transaction: everyone can still read it. Gives false where another process
 * else is removing tasks, or has removed these.
 */
export async function holdPartition(db: Queries, month: Month): Promise<boolean> {
  const { rows } = await removalLock.execute(db);
  if (rows[0]?.is_free !== true || (await missingPartitions(db, [month])).length > 0) return false;
  await sql`set local statement_timeout = 0`.execute(db);
  // Long enough for automatic maintenance of the partition to give way.
  await sql`set local lock_timeout = 3000`.execute(db);
  await sql`lock table ${partitionOf(month)} in share row exclusive mode`.execute(db);
  return true;
}

/** Keeps everyone from the tasks until the end of the transaction. All who come meanwhile wait, so it gives up soon. */
export async function keepOthersFromTasks(db: Queries): Promise<void> {
  await sql`set local lock_timeout = 300`.execute(db);
  await sql`lock table only tasks in access exclusive mode`.execute(db);
}

/** Removes a partition with all of its tasks at once, while others are kept from them. */
export async function dropPartition(db: Queries, month: Month): Promise<void> {
  await sql`drop table ${partitionOf(month)}`.execute(db);
}

function nameOf({ label }: Month): string {
  return `tasks_${label.replace("-", "")}`;
}

function partitionOf(month: Month) {
  return sql.table(nameOf(month));
}

async function missingPartitions(db: Queries, months: readonly Month[]): Promise<Month[]> {
  const names = new Set(await partitionNames(db));
  return months.filter((month) => !names.has(nameOf(month)));
}

/** Read from the tables themselves: what to_regclass says may be out of date after waiting for a lock. */
async function partitionNames(db: Queries): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'tasks'::regclass`.execute(db);
  return rows.map(({ name }) => name);
}

/** Made apart and then attached, which unlike making it in place does not wait for everyone who reads tasks. */
async function createPartition(db: Queries, month: Month): Promise<void> {
  const table = partitionOf(month);
  const check = sql.ref(`${nameOf(month)}_month`);
  const [start, end] = [sql.lit(month.from), sql.lit(month.until)];
  await sql`
    create table ${table} (like tasks including defaults including constraints,
    constraint ${check} check (created_at >= ${start} and created_at < ${end})) with (fillfactor = 90)`.execute(db);
  await sql`alter table tasks attach partition ${table} for values from (${start}) to (${end})`.execute(db);
  await sql`alter table ${table} drop constraint ${check}`.execute(db);
}
