import { setImmediate } from "node:timers/promises";
import { refuse } from "@holdfast/api/conventions/api-error";
import { type SqlBool, sql } from "kysely";
import { voidLinksOfHolders } from "../../access/one-time-links";
import { isActive, retireEnded } from "../../access/tokens/active-tokens";
import { unitAndAbove } from "../../access/unit-paths";
import { isPostgres } from "../../database/adapter";
import type { Queries } from "../../database/database";
import { forgetEntitiesOf, hasEntities, moveEntities } from "../../database/protection/move-entities";
import { noteBulkChange } from "../../database/tasks/bulk-change";
import { leaveRolesBehind, moveUnit, passageBetween, refuseCircle, takenRoleName } from "./move-unit";

const tasksPerStatement = 2000;

interface UnitBelow {
  id: string;
  parentId: string;
}

/** Removes a unit that has nothing in it any more. Tokens that are no longer good are listed with the unit above from now on. */
export async function removeUnit(db: Queries, { id: unitId, parentId }: UnitBelow, now: number): Promise<void> {
  await waitForTasksOf(db, unitId);
  const held = await whatIsIn(db, unitId, now);
  if (held !== undefined) {
    throw refuse(
      "stillUsed",
      `There are ${held} in this organizational unit. Remove them, or name another unit that takes everything: move_to.`,
    );
  }
  await retireEnded(db, now, sql<SqlBool>`organizational_unit_id = ${unitId}`, { organizational_unit_id: parentId });
  await forgetEntitiesOf(db, unitId);
  // Counts that have come down to nothing.
  for (const table of ["task_totals", "task_days", "task_quarters", "entity_weeks"] as const) {
    await db.deleteFrom(table).where("organizational_unit_id", "=", unitId).execute();
  }
  await db.deleteFrom("organizational_unit_paths").where("unit_id", "=", unitId).execute();
  await db.deleteFrom("organizational_units").where("id", "=", unitId).execute();
}

/**
 * Moves everything that is in a unit to another one that is not below it. Users who hold a role in either come to hold
 * more, so open invitations to that become void.
 */
export async function emptyUnit(db: Queries, unit: UnitBelow, to: string, now: number): Promise<void> {
  refuseCircle(unit.id, await unitAndAbove(db, to));
  await waitForTasksOf(db, unit.id);
  const { gained, lost } = await passageBetween(db, unit.parentId, to);
  await leaveRolesBehind(db, unit.id, lost, now);
  await voidLinksOfHolders(db, { unitIds: [...gained, unit.id] });
  await moveRoles(db, unit.id, to);
  await refuseChildNames(db, unit.id, to);
  const children = await db
    .selectFrom("organizational_units")
    .select(["id", "name"])
    .where("parent_id", "=", unit.id)
    .execute();
  for (const child of children) {
    await moveUnit(db, { id: child.id, parentId: unit.id, name: child.name }, to, now);
  }
  await moveGrants(db, unit.id, to);
  await retireEnded(db, now, sql<SqlBool>`organizational_unit_id = ${unit.id}`);
  await db
    .updateTable("api_tokens")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", unit.id)
    .execute();
  await moveMonitors(db, unit.id, to);
  await moveTasks(db, unit.id, to);
  await moveEntities(db, unit.id, to);
  await db
    .updateTable("webhooks")
    .set({ organizational_unit_id: to })
    .where("organizational_unit_id", "=", unit.id)
    .execute();
  await noteBulkChange(db, now);
}

/** Of many units that move at once, the message names the one that cannot. */
async function refuseChildNames(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("organizational_units as moved")
    .innerJoin("organizational_units as there", "there.name_folded", "moved.name_folded")
    .select("moved.name")
    .where("moved.parent_id", "=", from)
    .where("there.parent_id", "=", to)
    .orderBy("moved.name")
    .executeTakeFirst();
  if (!taken) return;
  throw refuse(
    "alreadyThere",
    `There is another organizational unit ${JSON.stringify(taken.name)} in the one that takes everything. Rename one of them first.`,
  );
}

/** Something that is in a unit, as a message names it, or nothing. */
async function whatIsIn(db: Queries, unitId: string, now: number): Promise<string | undefined> {
  const child = await db
    .selectFrom("organizational_units")
    .select("id")
    .where("parent_id", "=", unitId)
    .executeTakeFirst();
  if (child) return "other units";
  const tasks = await db
    .selectFrom("task_totals")
    .select((eb) => eb.fn.sum<number | null>("count").as("count"))
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  if ((tasks?.count ?? 0) > 0) return "tasks";
  if (await hasEntities(db, unitId)) return "protected entities that are not retired";
  const holder = await db
    .selectFrom("role_grants")
    .select("user_id")
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  if (holder) return "users with a role";
  const token = await db
    .selectFrom("api_tokens")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .where(isActive(now))
    .executeTakeFirst();
  if (token) return "API tokens";
  const role = await db
    .selectFrom("roles")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  if (role) return "roles";
  const monitor = await db
    .selectFrom("monitors")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  if (monitor) return "monitors";
  const pingKey = await db
    .selectFrom("ping_keys")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  if (pingKey) return "ping keys";
  const webhook = await db
    .selectFrom("webhooks")
    .select("id")
    .where("organizational_unit_id", "=", unitId)
    .executeTakeFirst();
  return webhook && "webhooks";
}

/**
 * Waits for writers of tasks in a unit and blocks new ones: each of them counts its tasks in a row that is
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

/** A user may hold the same role in both already. */
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

/** Monitors go with their URLs; a slug that the other unit has already is in the way. */
async function moveMonitors(db: Queries, from: string, to: string): Promise<void> {
  const taken = await db
    .selectFrom("monitors as moved")
    .innerJoin("monitors as there", "there.slug", "moved.slug")
    .select("moved.slug")
    .where("moved.organizational_unit_id", "=", from)
    .where("there.organizational_unit_id", "=", to)
    .orderBy("moved.slug")
    .executeTakeFirst();
  if (taken) {
    throw refuse(
      "alreadyThere",
      `There is another monitor with the slug ${taken.slug} in the unit that takes everything. Give one of them another slug first.`,
    );
  }
  for (const table of ["monitors", "ping_keys"] as const) {
    await db
      .updateTable(table)
      .set({ organizational_unit_id: to })
      .where("organizational_unit_id", "=", from)
      .execute();
  }
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
  for (const table of ["task_totals", "task_days", "task_quarters", "entity_weeks"] as const) {
    await db.deleteFrom(table).where("organizational_unit_id", "=", from).execute();
  }
}
