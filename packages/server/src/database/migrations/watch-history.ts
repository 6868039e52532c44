import { type Kysely, sql } from "kysely";
import { OurPostgresAdapter } from "../adapter";

/** Stands for every hour: something was changed that tasks of any time can be found by. */
export const everyHour = -1;
/** Stands for tasks that have got another entity or unit than they were added with; on PostgreSQL also for removed ones. */
export const movedTasks = -2;
/** Stands for entities that were added. */
export const newEntities = -3;

const hourLength = sql.lit(3_600_000);
/** What tasks are found and counted by. A change of nothing but the document, such as progress, is not noted. */
const foundBy = sql.raw(
  "id, organizational_unit_id, category, type, status, created_at, started_at, ended_at, entity_key, outcome, error_code, monitor_id",
);

/**
 * Notes for each hour when tasks created in it were last added, removed or changed in what they are found by. The order is
 * that of commits within a lane of writers; writers of different lanes do not wait for each other.
 */
export async function createHistory(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("history_lanes")
    .addColumn("lane", "integer", (c) => c.primaryKey())
    .addColumn("version", "bigint", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("history_hours")
    .addColumn("lane", "integer", (c) => c.notNull())
    .addColumn("hour", "integer", (c) => c.notNull())
    .addColumn("version", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("history_hours_key", ["lane", "hour"])
    .execute();
  await db.schema
    .createIndex("history_hours_by_version")
    .on("history_hours")
    .columns(["lane", "version", "hour"])
    .execute();
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof OurPostgresAdapter)) return watchSqlite(db);
  // Distributed databases know no triggers, and nothing is remembered of them.
  if (adapter.hasPartitions) await watchPostgres(db);
}

/** Notes in SQLite that tasks were moved: all others can be counted as they are added. */
export async function watchMovedTasks(db: Kysely<unknown>): Promise<void> {
  if (db.getExecutor().adapter instanceof OurPostgresAdapter) return;
  await sql`create trigger tasks_history_moved after update of entity_key, organizational_unit_id, created_at on tasks begin
    update history_lanes set version = version + 1 where lane = 0;
    ${sql.raw(note(String(movedTasks)))}
  end`.execute(db);
}

/** Notes a change of an hour in SQLite. */
const note = (hour: string) => `
  insert into history_hours (lane, hour, version) select 0, ${hour}, version from history_lanes where lane = 0
  on conflict (lane, hour) do update set version = excluded.version;`;

async function watchInSqlite(db: Kysely<unknown>, table: string, event: string, ...hours: string[]): Promise<void> {
  const noted = sql.raw(hours.map(note).join(""));
  await sql`create trigger ${sql.ref(`${table}_history_${event}`)} after ${sql.raw(event)} on ${sql.table(table)} begin
    update history_lanes set version = version + 1 where lane = 0;
    ${noted}
  end`.execute(db);
}

async function watchSqlite(db: Kysely<unknown>): Promise<void> {
  await sql`insert into history_lanes (lane, version) values (0, 0)`.execute(db);
  await watchInSqlite(db, "task_hours", "insert", "new.hour");
  await watchInSqlite(db, "task_hours", "update", "old.hour", "new.hour");
  await watchInSqlite(db, "task_hours", "delete", "old.hour");
  const hourOf = (row: string) => `${row}.created_at / 3600000`;
  await sql`create trigger tasks_history_update after update of ${foundBy} on tasks begin
    update history_lanes set version = version + 1 where lane = 0;
    ${sql.raw([hourOf("old"), hourOf("new")].map(note).join(""))}
  end`.execute(db);
  await watchInSqlite(db, "entities", "update", String(everyHour));
}

async function watchPostgres(db: Kysely<unknown>): Promise<void> {
  // The row of the lane is locked until the commit, so that versions of a lane are committed in their order.
  await sql`
    create function note_history(changed_hour bigint) returns void language plpgsql as $$
    declare
      noted text := coalesce(current_setting('holdfast.history', true), '');
      own_lane int := coalesce(nullif(current_setting('holdfast.lane', true), ''), '0')::int;
    begin
      if strpos(noted, ' ' || changed_hour || ' ') > 0 then return; end if;
      if noted = '' then
        insert into history_lanes as known (lane, version) values (own_lane, 1)
        on conflict (lane) do update set version = known.version + 1;
      end if;
      insert into history_hours (lane, hour, version)
      select lane, changed_hour, version from history_lanes where lane = own_lane
      on conflict (lane, hour) do update set version = excluded.version;
      perform set_config('holdfast.history', noted || ' ' || changed_hour || ' ', true);
    end $$`.execute(db);
  await sql`
    create function note_history_of_hours() returns trigger language plpgsql as $$
    begin
      if tg_op <> 'INSERT' then perform note_history(old.hour); end if;
      if tg_op <> 'DELETE' then perform note_history(new.hour); end if;
      return null;
    end $$`.execute(db);
  await sql`
    create function note_history_of_tasks() returns trigger language plpgsql as $$
    begin
      perform note_history(old.created_at / ${hourLength});
      perform note_history(new.created_at / ${hourLength});
      return null;
    end $$`.execute(db);
  await sql`
    create function note_history_of_entities() returns trigger language plpgsql as $$
    begin
      perform note_history(${sql.lit(everyHour)});
      return null;
    end $$`.execute(db);
  const watch = (name: string, event: ReturnType<typeof sql>, table: string, noting: string) =>
    sql`create constraint trigger ${sql.ref(name)} after ${event} on ${sql.table(table)}
      deferrable initially deferred for each row execute function ${sql.raw(noting)}()`.execute(db);
  await watch("task_hours_history", sql`insert or update or delete`, "task_hours", "note_history_of_hours");
  await watch("tasks_history_update", sql`update of ${foundBy}`, "tasks", "note_history_of_tasks");
  await watch("entities_history_update", sql`update`, "entities", "note_history_of_entities");
}

/** Notes that entities were added: until then their names and plans that name them stay as they are. */
export async function watchNewEntities(db: Kysely<unknown>): Promise<void> {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof OurPostgresAdapter)) return watchInSqlite(db, "entities", "insert", String(newEntities));
  if (adapter.hasPartitions) await watchInPostgres(db, "entities_history_insert", sql`insert`, "entities", newEntities);
}

/**
 * Notes in PostgreSQL that tasks were moved or removed. There an added task can be overlooked where it was created long before,
 * which the sum of its hour shows; were another one removed from the same hour unnoticed, the sum would be right again.
 */
export async function watchMovedTasksInPostgres(db: Kysely<unknown>): Promise<void> {
  const { adapter } = db.getExecutor();
  if (!(adapter instanceof OurPostgresAdapter && adapter.hasPartitions)) return;
  const moved = sql`update of entity_key, organizational_unit_id, created_at`;
  await watchInPostgres(db, "tasks_history_moved", moved, "tasks", movedTasks);
  await watchInPostgres(db, "tasks_history_removed", sql`delete`, "tasks", movedTasks);
  // A month is dropped as a whole: then only its counts are deleted row by row.
  await watchInPostgres(db, "task_hours_history_removed", sql`delete`, "task_hours", movedTasks);
}

/** Notes the same for each row, whichever it is. */
async function watchInPostgres(
  db: Kysely<unknown>,
  name: string,
  event: ReturnType<typeof sql>,
  table: string,
  noted: number,
): Promise<void> {
  await sql`
    create or replace function note_history_as() returns trigger language plpgsql as $$
    begin
      perform note_history(tg_argv[0]::bigint);
      return null;
    end $$`.execute(db);
  await sql`create constraint trigger ${sql.ref(name)} after ${event} on ${sql.table(table)}
    deferrable initially deferred for each row execute function note_history_as(${sql.lit(String(noted))})`.execute(db);
}
