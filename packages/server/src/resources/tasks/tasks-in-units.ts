import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { isPostgres } from "../../database/adapter";
import type { Queries } from "../../database/database";
import { noteBulkChange } from "../../database/tasks/bulk-change";
import type { UnitContents } from "../unit-contents";

const tasksPerStatement = 2000;
const countTables = ["task_totals", "task_days", "task_quarters", "entity_weeks"] as const;

/** Tasks of a unit, with their counts and leases. */
export const tasksInUnits: UnitContents = {
  noun: "tasks",
  /** Each writer of tasks counts them in a row that is locked here, or in a new one, which cannot be made while the unit is locked. */
  async lock(db, unitId) {
    await db
      .selectFrom("task_totals")
      .select("count")
      .where("organizational_unit_id", "=", unitId)
      .forUpdate()
      .execute();
  },
  async areIn(db, unitId) {
    const tasks = await db
      .selectFrom("task_totals")
      .select((eb) => eb.fn.sum<number | null>("count").as("count"))
      .where("organizational_unit_id", "=", unitId)
      .executeTakeFirst();
    return (tasks?.count ?? 0) > 0;
  },
  followUnit: (db, _unitId, _passage, now) => noteBulkChange(db, now),
  move: moveTasks,
  // Counts that have come down to nothing.
  async forget(db, { id }) {
    for (const table of countTables) await db.deleteFrom(table).where("organizational_unit_id", "=", id).execute();
  },
};

/** Moves tasks and their counts. A task's document names its unit; quotes inside of texts are escaped, so this is found once. */
async function moveTasks(db: Queries, from: string, to: string): Promise<void> {
  const named = (unitId: string) => `"organizational_unit_id":"${unitId}"`;
  const rewrite = db.updateTable("tasks").set((eb) => ({
    organizational_unit_id: to,
    document: eb.fn<string>("replace", ["document", eb.val(named(from)), eb.val(named(to))]),
  }));
  if (isPostgres(db)) {
    await rewrite.where("organizational_unit_id", "=", from).execute();
  } else {
    for (let moved = tasksPerStatement; moved === tasksPerStatement; ) {
      const some = db
        .selectFrom("tasks")
        .select("seq")
        .where("organizational_unit_id", "=", from)
        .limit(tasksPerStatement);
      moved = Number((await rewrite.where("seq", "in", some).executeTakeFirst()).numUpdatedRows);
      // SQLite works in this very process, which has requests to answer as well.
      await setImmediate();
    }
  }
  await moveCounts(db, from, to);
  await db
    .updateTable("task_leases")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", from)
    .execute();
}

async function moveCounts(db: Queries, from: string, to: string): Promise<void> {
  await sql`
    insert into task_totals (organizational_unit_id, category, type, status, outcome, count, last_seq, last_xid, writer)
    select ${to}, category, type, status, outcome, count, last_seq, last_xid, writer from task_totals where organizational_unit_id = ${from}
    on conflict (organizational_unit_id, category, type, status, outcome, writer) do update set
      count = task_totals.count + excluded.count,
      last_seq = case when excluded.last_seq > task_totals.last_seq then excluded.last_seq else task_totals.last_seq end,
      last_xid = case when excluded.last_xid > task_totals.last_xid then excluded.last_xid else task_totals.last_xid end`.execute(
    db,
  );
  await sql`
    update task_day_versions set version = version + 1
    where day in (select day from task_days where organizational_unit_id = ${from})`.execute(db);
  await sql`
    insert into task_days (day, organizational_unit_id, category, type, status, outcome, count, writer)
    select day, ${to}, category, type, status, outcome, count, writer from task_days where organizational_unit_id = ${from}
    on conflict (day, organizational_unit_id, category, type, status, outcome, writer) do update set
      count = task_days.count + excluded.count`.execute(db);
  await sql`
    insert into task_quarters (quarter, organizational_unit_id, category, status, outcome, count, writer)
    select quarter, ${to}, category, status, outcome, count, writer from task_quarters where organizational_unit_id = ${from}
    on conflict (quarter, organizational_unit_id, category, status, outcome, writer) do update set
      count = task_quarters.count + excluded.count`.execute(db);
  await sql`
    insert into entity_weeks (entity_key, week, organizational_unit_id, count)
    select entity_key, week, ${to}, count from entity_weeks where organizational_unit_id = ${from}
    on conflict (entity_key, week, organizational_unit_id) do update set
      count = entity_weeks.count + excluded.count`.execute(db);
  for (const table of countTables) {
    await db.deleteFrom(table).where("organizational_unit_id", "=", from).execute();
  }
}
