import { sql } from "kysely";
import { isPostgres } from "../adapter";
import type { Queries } from "../database";
import { type Month, monthOf } from "../month";

/** Numbers that no other program is likely to lock: while partitions are made, and while they are removed. */
const partitionLock = sql`select pg_advisory_xact_lock(4831, 2)`;
const removalLock = sql<{ is_free: boolean }>`select pg_try_advisory_xact_lock(4831, 4) as is_free`;

/** Lets tasks be added in this transaction without looking for their ids: before the first load there are none. */
export async function trustTaskIds(db: Queries): Promise<void> {
  if (isPostgres(db)) await sql`set local holdfast.first_load = 'on'`.execute(db);
}

/** Makes the partitions that are missing for tasks that were created at these times, where there are partitions. */
export async function makeRoomForTasks(db: Queries, times: readonly number[]): Promise<void> {
  if (!isPostgres(db) || times.length === 0) return;
  const months = [...new Map(times.map((time) => monthOf(time)).map((month) => [month.label, month])).values()];
  // No partition is removed from now on until these tasks are in it.
  const locked = sql`lock table only tasks in row exclusive mode`.execute(db);
  const [missing] = await Promise.all([missingPartitions(db, months), locked]);
  if (missing.length === 0) return;
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
