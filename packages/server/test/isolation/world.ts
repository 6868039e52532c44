import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { outcomesOf, taskCategories, taskStatuses } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import { createToken } from "../../src/resources/api-tokens/store";
import { createUnit } from "../../src/resources/organizational-units/store";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { createUser, grantRole } from "../../src/resources/users/store";
import { type Plane, root, sampleTask } from "../harness";

/** An organization as a test knows it: everything in plain arrays, nothing in SQL. */
export interface World {
  units: { id: string; parentId: string | null }[];
  users: WorldUser[];
  tasks: TaskRecord[];
  tokens: WorldToken[];
  roleIds: Record<DefaultRole, string>;
}

export interface WorldUser {
  id: string;
  name: string;
  email: string;
  isEnabled: boolean;
  grants: WorldGrant[];
}

export interface WorldGrant {
  role: DefaultRole;
  unitId: string;
}

export interface WorldToken {
  token: string;
  unitId: string;
  holder: { kind: "personal"; userId: string } | { kind: "service"; role: DefaultRole };
}

export const roles = ["owner", "admin", "operator", "reporter", "viewer"] as const;

/** Texts that have broken filters elsewhere; all of them can be stored. */
export const awkwardTexts = [
  "Ada Lovelace",
  "ada LOVELACE",
  "O'Brien",
  '"; drop table tasks; --',
  "100%",
  "100x",
  "under_score",
  "underXscore",
  "back\\slash",
  "\\%",
  "straße",
  "STRASSE",
  "ΣΊΣΥΦΟΣ",
  "σίσυφος",
  "İstanbul",
  "istanbul",
  "😀 smile",
  "｡ half-width, before 𝐀 by code point only",
  "𝐀 mathematical",
  "__proto__",
  "constructor",
  "$eq",
  "é",
  "e\u0301",
  "\u202eright to left",
] as const;

export const taskTypes = ["restic_backup", "borg_prune", "pgbackrest_full_backup"] as const;
const firstMoment = Date.parse("2026-10-30T00:00:00.000Z");
const day = 86_400_000;

/** A moment in three days, often on the edge of one, so that ties and cut days are common. */
export const moment = fc
  .tuple(fc.nat(3), fc.oneof(fc.constantFrom(0, 1, day - 1, day / 2), fc.nat(day - 1)))
  .map(([days, rest]) => firstMoment + days * day + rest);

/** Error codes, of which one is awkward. */
export const errorCodes = ["runner_lost", "repository_full", "100%"] as const;

/** Each status with each of its outcomes. */
const endings = taskStatuses.flatMap((status) =>
  (outcomesOf[status].length > 0 ? outcomesOf[status] : [null]).map((outcome) => ({ status, outcome })),
);

/** A status with an outcome that fits it, and the code of an error where there has to be one. */
export const anyEnding = fc
  .tuple(fc.constantFrom(...endings), fc.constantFrom(...errorCodes))
  .map(([{ status, outcome }, code]) => {
    const isFine = outcome === null || outcome === "success" || outcome === "cancelled";
    return { status, outcome, error: isFine ? null : { code, message: "It did not work.", remedy: "none" } };
  });

const sketch = fc.record({
  parents: fc.array(fc.nat(), { minLength: 1, maxLength: 14 }),
  users: fc.array(
    fc.record({
      name: fc.constantFrom(...awkwardTexts),
      isEnabled: fc.integer({ min: 0, max: 9 }).map((roll) => roll > 0),
      grants: fc.array(fc.tuple(fc.constantFrom(...roles), fc.nat()), { maxLength: 4 }),
    }),
    { maxLength: 12 },
  ),
  tasks: fc.array(
    fc.record({
      unit: fc.nat(),
      ending: anyEnding,
      category: fc.constantFrom(...taskCategories),
      type: fc.constantFrom(...taskTypes),
      created: moment,
      started: fc.option(moment),
      ended: fc.option(moment),
      entity: fc.option(fc.tuple(fc.constantFrom(...awkwardTexts), fc.constantFrom(...awkwardTexts))),
    }),
    { maxLength: 40 },
  ),
  serviceTokens: fc.array(fc.tuple(fc.constantFrom(...roles), fc.nat()), { minLength: 1, maxLength: 5 }),
  personalTokens: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 8 }),
});

export type Sketch = typeof sketch extends fc.Arbitrary<infer Value> ? Value : never;

/** A random organization, as numbers that buildWorld turns into rows: fast-check can make it smaller. */
export const anySketch: fc.Arbitrary<Sketch> = sketch;

/** Chooses one of a list by any number. */
export function pick<Item>(items: readonly Item[], number: number): Item {
  const item = items[number % items.length];
  if (item === undefined) throw new Error("There is nothing to choose from.");
  return item;
}

/** The unit and all above it. */
export function pathOf(world: Pick<World, "units">, unitId: string): string[] {
  const unit = world.units.find(({ id }) => id === unitId);
  if (!unit) return [];
  return unit.parentId === null ? [unitId] : [unitId, ...pathOf(world, unit.parentId)];
}

/** Text that only a task of this unit has, and no filter of the tests ever does. */
export function canary(unitId: string): string {
  return `canary of ${unitId}`;
}

function unitsOf(parents: readonly number[]): World["units"] {
  const units: World["units"] = [{ id: root, parentId: null }];
  for (const [index, parent] of parents.entries()) {
    const possible = units.filter(({ id }) => pathOf({ units }, id).length < 5);
    units.push({ id: `abcdef00-0000-4000-8000-${hex(index + 1)}`, parentId: pick(possible, parent).id });
  }
  return units;
}

function hex(number: number): string {
  return number.toString(16).padStart(12, "0");
}

function tasksOf(sketched: Sketch["tasks"], units: World["units"]): TaskRecord[] {
  return sketched.map(({ unit, created, started, ended, entity, ending, ...task }, index) => {
    const unitId = pick(units, unit).id;
    return {
      ...sampleTask(index),
      ...task,
      ...ending,
      // Half of the ids are UUIDs, the others awkward texts.
      id: index % 2 === 0 ? `dcba0000-0000-7000-8000-${hex(index)}` : `${pick(awkwardTexts, index)} ${index}`,
      organizational_unit_id: unitId,
      created_timestamp: new Date(created).toISOString(),
      start_timestamp: started === null ? null : new Date(started).toISOString(),
      end_timestamp: ended === null ? null : new Date(ended).toISOString(),
      primary_entity: entity && { id: entity[0], type: canary(unitId), value: entity[1] },
      error: ending.error && { ...ending.error, message: canary(unitId) },
    };
  });
}

/** Fills a plane with an organization in place of what was there before. */
export async function buildWorld(plane: Plane, sketched: Sketch): Promise<World> {
  await emptyPlane(plane);
  const units = unitsOf(sketched.parents);
  const users = sketched.users.map(({ name, isEnabled, grants }, index) => ({
    id: `fedcba00-0000-4000-8000-${hex(index)}`,
    name,
    email: `person-${index}@example.org`,
    isEnabled,
    grants: uniqueGrants(grants.map(([role, unit]) => ({ role, unitId: pick(units, unit).id }))),
  }));
  const world: World = {
    units,
    users,
    tasks: tasksOf(sketched.tasks, units),
    tokens: [],
    roleIds: await roleIdsOf(plane),
  };
  const { sealer } = plane.controlPlane;
  await plane.database.change(async (db) => {
    for (const { id, parentId } of units.slice(1)) {
      await createUnit(db, { id, name: `Unit ${id}`, parentId, createdAt: plane.clock.now });
    }
    for (const { id, name, email, isEnabled, grants } of users) {
      const user = { id, email, fullName: name, isConfirmed: true, isEnabled, inviterId: null };
      await createUser(db, { ...user, createdAt: plane.clock.now });
      for (const { role, unitId } of grants) await grantRole(db, { userId: id, roleId: world.roleIds[role], unitId });
    }
    await insertTasks(db, world.tasks);
    for (const { unitId, holder } of tokensOf(sketched, world)) {
      const wanted =
        holder.kind === "personal" ? holder : { kind: "service" as const, roleId: world.roleIds[holder.role] };
      const { token } = await createToken(db, sealer, {
        baseUrl: plane.service.baseUrl,
        now: plane.clock.now,
        token: { name: "random", unitId, holder: wanted, createdBy: null, life: day },
      });
      world.tokens.push({ token, unitId, holder });
    }
  });
  return world;
}

/** A personal token can be made only for a unit that its user covers. */
function tokensOf(sketched: Sketch, { units, users }: World): Omit<WorldToken, "token">[] {
  const holders = users.filter(({ grants }) => grants.length > 0);
  const personal = holders.length === 0 ? [] : sketched.personalTokens;
  return [
    ...sketched.serviceTokens.map(([role, unit]) => ({
      unitId: pick(units, unit).id,
      holder: { kind: "service" as const, role },
    })),
    ...personal.map(([user, unit]) => {
      const { id, grants } = pick(holders, user);
      const covered = units.filter((one) =>
        pathOf({ units }, one.id).some((above) => grants.some((grant) => grant.unitId === above)),
      );
      return { unitId: pick(covered, unit).id, holder: { kind: "personal" as const, userId: id } };
    }),
  ];
}

function uniqueGrants(grants: WorldGrant[]): WorldGrant[] {
  return [...new Map(grants.map((grant) => [`${grant.role} ${grant.unitId}`, grant])).values()];
}

async function roleIdsOf(plane: Plane): Promise<World["roleIds"]> {
  const [owner, admin, operator, reporter, viewer] = await Promise.all([
    plane.roleId("owner"),
    plane.roleId("admin"),
    plane.roleId("operator"),
    plane.roleId("reporter"),
    plane.roleId("viewer"),
  ]);
  return { owner, admin, operator, reporter, viewer };
}

async function emptyPlane({ database }: Plane): Promise<void> {
  await database.change(async (db) => {
    await db.deleteFrom("api_tokens").execute();
    await db.deleteFrom("role_grants").execute();
    await db.deleteFrom("users").execute();
    await db.deleteFrom("tasks").execute();
    await db.deleteFrom("task_totals").execute();
    await db.deleteFrom("task_days").execute();
    await db.deleteFrom("task_quarters").execute();
    await db
      .updateTable("task_day_versions")
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .execute();
    await db.deleteFrom("entity_weeks").execute();
    await db.deleteFrom("entities").execute();
    await db.deleteFrom("protected_entities").execute();
    await db.deleteFrom("organizational_unit_paths").where("unit_id", "<>", root).execute();
    await db.updateTable("organizational_units").set({ parent_id: null }).execute();
    await db.deleteFrom("organizational_units").where("id", "<>", root).execute();
  });
}
