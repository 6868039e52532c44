import { setImmediate } from "node:timers/promises";
import { refuse } from "@holdfast/api/conventions/api-error";
import { sql } from "kysely";
import type { Queries } from "../../database/database";
import { isPostgres } from "../../database/postgres-adapter";
import { moveUnit, passageBetween, refuseCircle, refuseStrandedRoles, takenRoleName } from "./move-unit";
import { unitAndAbove } from "./store";

const tasksPerStatement = 2000;

/** Removes a unit that has nothing in it any more. */
export async function removeUnit(db: Queries, unitId: string): Promise<void> {
  await waitForTasksOf(db, unitId);
  const held = await whatIsIn(db, unitId);
  if (held !== undefined) {
    throw refuse(
      "stillUsed",
      `There are ${held} in this organizational unit. Remove them, or name another unit in move_to that takes everything.`,
    );
  }
  // Counts that have come down to nothing.
  for (const table of ["task_totals", "task_days", "task_hours"] as const) {
    await db.deleteFrom(table).where("organizational_unit_id", "=", unitId).execute();
  }
  await db.deleteFrom("organizational_unit_paths").where("unit_id", "=", unitId).execute();
  await db.deleteFrom("organizational_units").where("id", "=", unitId).execute();
}

/** Moves everything that is in a unit to another one that is not below it. */
export async function emptyUnit(db: Queries, unit: { id: string; parentId: string }, to: string): Promise<void> {
  refuseCircle(unit.id, await unitAndAbove(db, to));
  await waitForTasksOf(db, unit.id);
  await refuseStrandedRoles(db, unit.id, (await passageBetween(db, unit.parentId, to)).lost);
  await moveRoles(db, unit.id, to);
  const children = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("parent_id", "=", unit.id)
    .execute();
  for (const child of children) {
    await moveUnit(db, { id: child.id, parentId: unit.id, name: child.name }, to);
  }
  await moveGrants(db, unit.id, to);
  await db
    .updateTable("api_tokens")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", unit.id)
    .execute();
  await moveTasks(db, unit.id, to);
}

/** Something that is in a unit, as a message names it, or nothing. */
async function whatIsIn(db: Queries, unitId: string): Promise<string | undefined> {
  const child = await db
    .selectFrom("organizational_units")
    .select("id")
    .where("parent_id", "=", unitId)
    .executeTakeFirst();
  if (child) return "other units";
  const task = await db
    .selectFrom("task_totals")
    .select("count")
    .where("organizational_unit_id", "=", unitId)
    .where("count", ">", 0)
    .executeTakeFirst();
  if (task) return "tasks";
  for (const [table, noun] of [
    ["role_grants", "users with a role"],
    ["api_tokens", "API tokens"],
    ["roles", "roles"],
  ] as const) {
    const found = await db
      .selectFrom(table)
      .select("organizational_unit_id")
      .where("organizational_unit_id", "=", unitId)
      .executeTakeFirst();
    if (found) return noun;
  }
  return undefined;
}

/**
 * Waits for whoever is adding tasks to a unit and keeps others from it: each of them counts its tasks in a row that is
 * locked here, or in a new one, which cannot be made while the unit is locked. SQLite has one writer anyway.
 */
async function waitForTasksOf(db: Queries, unitId: string): Promise<void> {
  if (!isPostgres(db)) return;
  await db.selectFrom("organizational_units").select("id").where("id", "=", unitId).forUpdate().execute();
  await db.selectFrom("task_totals").select("count").where("organizational_unit_id", "=", unitId).forUpdate().execute();
}

async function moveRoles(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("roles as moved")
    .innerJoin("roles as there", "there.name_folded", "moved.name_folded")
    .select("moved.name")
    .where("moved.organizational_unit_id", "=", from)
    .where("there.organizational_unit_id", "!=", from)
    .where((eb) =>
      eb.or([
        eb(
          "there.organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("ancestor_id").where("unit_id", "=", to),
        ),
        eb(
          "there.organizational_unit_id",
          "in",
          eb.selectFrom("organizational_unit_paths").select("unit_id").where("ancestor_id", "=", to),
        ),
      ]),
    )
    .executeTakeFirst();
  if (taken) throw takenRoleName(taken.name);
  await db
    .updateTable("roles")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", from)
    .execute();
}

/** Somebody may hold the same role in both already. */
async function moveGrants(db: Queries, from: string, to: string): Promise<void> {
  await db
    .insertInto("role_grants")
    .columns(["user_id", "role_id", "organizational_unit_id"])
    .expression((eb) =>
      eb
        .selectFrom("role_grants")
        .select(["user_id", "role_id", eb.val(to).as("organizational_unit_id")])
        .where("organizational_unit_id", "=", from),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom("role_grants").where("organizational_unit_id", "=", from).execute();
}

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
}

async function moveCounts(db: Queries, from: string, to: string): Promise<void> {
  await sql`
    insert into task_totals (organizational_unit_id, category, type, status, count, last_seq)
    select ${to}, category, type, status, count, last_seq from task_totals where organizational_unit_id = ${from}
    on conflict (organizational_unit_id, category, type, status) do update set
      count = task_totals.count + excluded.count,
      last_seq = case when excluded.last_seq > task_totals.last_seq then excluded.last_seq else task_totals.last_seq end`.execute(
    db,
  );
  await sql`
    insert into task_days (day, organizational_unit_id, category, type, status, count)
    select day, ${to}, category, type, status, count from task_days where organizational_unit_id = ${from}
    on conflict (day, organizational_unit_id, category, type, status) do update set
      count = task_days.count + excluded.count`.execute(db);
  await sql`
    insert into task_hours (hour, organizational_unit_id, count)
    select hour, ${to}, count from task_hours where organizational_unit_id = ${from}
    on conflict (hour, organizational_unit_id) do update set count = task_hours.count + excluded.count`.execute(db);
  for (const table of ["task_totals", "task_days", "task_hours"] as const) {
    await db.deleteFrom(table).where("organizational_unit_id", "=", from).execute();
  }
}
