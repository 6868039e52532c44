import { type CreateTableBuilder, type Kysely, sql } from "kysely";
import type { Queries } from "./database";
import { hasPartitions } from "./postgres-adapter";

/** Two numbers that no other program is likely to lock: while partitions come and go, and while ids are claimed. */
const partitionLock = sql`select pg_advisory_xact_lock(4831, 2)`;
const idLocks = 4832;

/**
 * Creates the table of tasks in partitions, one for each month. Such a table can only be unique by what it is divided by,
 * so a trigger sees to it that an id is there once: whoever adds tasks locks their ids, and then looks for others.
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

/** Lets tasks be added in this transaction without looking for their ids: before the first load there are none. */
export async function trustTaskIds(db: Queries): Promise<void> {
  if (hasPartitions(db)) await sql`set local holdfast.first_load = 'on'`.execute(db);
}

/** Makes the partitions that are missing for tasks that were created at these times, where there are partitions. */
export async function makeRoomForTasks(db: Queries, times: readonly number[]): Promise<void> {
  if (!hasPartitions(db) || times.length === 0) return;
  const months = [...new Set(times.map(monthOf))];
  if ((await missingPartitions(db, months)).length === 0) return;
  await partitionLock.execute(db);
  for (const month of await missingPartitions(db, months)) await createPartition(db, month);
}

/** A partition and the time that it covers. */
export interface Partition {
  name: string;
  from: number;
  until: number;
}

/** All partitions of the tasks, oldest first. */
export async function listPartitions(db: Queries): Promise<Partition[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_inherits join pg_class on pg_class.oid = inhrelid
    where inhparent = 'tasks'::regclass order by relname`.execute(db);
  return rows.map(({ name }) => partitionOf(Number(name.slice("tasks_".length, -2)) * 12 + Number(name.slice(-2)) - 1));
}

/** Removes a partition with all of its tasks at once. */
export async function dropPartition(db: Queries, { name }: Partition): Promise<void> {
  await partitionLock.execute(db);
  await db.schema.dropTable(name).execute();
}

/** Months since the year 0. */
function monthOf(time: number): number {
  const date = new Date(time);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}

function partitionOf(month: number): Partition {
  const [year, ofYear] = [Math.floor(month / 12), month % 12];
  const digits = `${String(year).padStart(4, "0")}${String(ofYear + 1).padStart(2, "0")}`;
  return { name: `tasks_${digits}`, from: Date.UTC(year, ofYear), until: Date.UTC(year, ofYear + 1) };
}

async function missingPartitions(db: Queries, months: readonly number[]): Promise<number[]> {
  const names = sql.join(months.map((month) => sql`(${month}::int, ${partitionOf(month).name})`));
  const { rows } = await sql<{ month: number }>`
    select month from (values ${names}) as wanted (month, name) where to_regclass(name) is null`.execute(db);
  return rows.map(({ month }) => month);
}

/** Made apart and then attached, which unlike making it in place does not wait for everyone who reads tasks. */
async function createPartition(db: Queries, month: number): Promise<void> {
  const { name, from, until } = partitionOf(month);
  const table = sql.table(name);
  const [start, end] = [sql.lit(from), sql.lit(until)];
  await sql`
    create table ${table} (like tasks including defaults including constraints,
    constraint ${sql.ref(`${name}_month`)} check (created_at >= ${start} and created_at < ${end}))`.execute(db);
  await sql`alter table tasks attach partition ${table} for values from (${start}) to (${end})`.execute(db);
  await sql`alter table ${table} drop constraint ${sql.ref(`${name}_month`)}`.execute(db);
}
