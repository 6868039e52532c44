import pg from "pg";
import { columns, readTasks, rowOf } from "./common.mjs";

/** Fills the table of tasks in PostgreSQL from a file of them, unless it is there, and gives connections. */
export async function openTasks(url, tasksFile) {
  const pool = new pg.Pool({ connectionString: url, max: 8 });
  const { rows } = await pool.query("select to_regclass('tasks_by_end') as found");
  if (rows[0].found === null) await fill(pool, tasksFile);
  return pool;
}

async function fill(pool, tasksFile) {
  await pool.query(`
    create extension if not exists pg_trgm;
    drop table if exists tasks;
    create table tasks (
      id text primary key, category text not null, status text not null, progress_percentage integer not null,
      created_timestamp timestamptz not null, type text not null, start_timestamp timestamptz,
      end_timestamp timestamptz, organizational_unit_id text not null, entity_id text, entity_type text,
      entity_value text, outcome text, error json, is_abortable integer not null,
      last_heartbeat_timestamp timestamptz, last_progress_timestamp timestamptz
    )`);
  for await (const batch of readTasks(tasksFile)) {
    const names = columns.join();
    await pool.query(`insert into tasks (${names}) select ${names} from json_populate_recordset(null::tasks, $1)`, [
      JSON.stringify(batch.map(rowOf).map((row) => ({ ...row, error: JSON.parse(row.error) }))),
    ]);
  }
  for (const column of ["status", "category", "type", "entity_id"]) {
    await pool.query(`create index tasks_by_${column} on tasks (${column}, created_timestamp desc, id desc)`);
  }
  await pool.query("create index tasks_by_value on tasks using gin (entity_value gin_trgm_ops)");
  await pool.query("create index tasks_by_created on tasks (created_timestamp desc, id desc)");
  await pool.query("create index tasks_by_start on tasks (start_timestamp)");
  await pool.query("create index tasks_by_end on tasks (end_timestamp)");
  // So that counts are read from indexes alone.
  await pool.query("vacuum analyze tasks");
}
