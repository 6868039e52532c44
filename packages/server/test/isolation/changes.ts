import fc from "fast-check";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { grantRole, revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { deleteTasks, replaceTask } from "../change-tasks";
import { inStatus, type Plane, sampleTask } from "../harness";
import { canary, moment, pick, roles, type World } from "./world";

const changeSketch = fc.oneof(
  fc.record({ kind: fc.constant("take a role away" as const), user: fc.nat(), grant: fc.nat() }),
  fc.record({
    kind: fc.constant("give a role" as const),
    user: fc.nat(),
    role: fc.constantFrom(...roles),
    unit: fc.nat(),
  }),
  fc.record({ kind: fc.constant("disable or enable" as const), user: fc.nat() }),
  fc.record({ kind: fc.constant("add a task" as const), unit: fc.nat(), created: moment }),
  fc.record({ kind: fc.constant("change a task" as const), task: fc.nat(), unit: fc.nat() }),
  fc.record({ kind: fc.constant("delete a task" as const), task: fc.nat() }),
);

export type ChangeSketch = typeof changeSketch extends fc.Arbitrary<infer Value> ? Value : never;

/** Something that happens to an organization. */
export const anyChange: fc.Arbitrary<ChangeSketch> = changeSketch;

let added = 0;

/** Makes a change both in the database and in the model. Where there is nothing to change, nothing happens. */
export async function makeChange({ database }: Plane, world: World, change: ChangeSketch): Promise<void> {
  switch (change.kind) {
    case "take a role away": {
      const user = world.users.filter(({ grants }) => grants.length > 0).at(change.user % (world.users.length || 1));
      if (!user) return;
      const grant = pick(user.grants, change.grant);
      user.grants = user.grants.filter((one) => one !== grant);
      await database.change((db) =>
        revokeRole(db, { userId: user.id, roleId: world.roleIds[grant.role], unitId: grant.unitId }),
      );
      return;
    }
    case "give a role": {
      const user = world.users.at(change.user % (world.users.length || 1));
      if (!user) return;
      const grant = { role: change.role, unitId: pick(world.units, change.unit).id };
      user.grants = [...user.grants.filter((one) => one.role !== grant.role || one.unitId !== grant.unitId), grant];
      await database.change((db) =>
        grantRole(db, { userId: user.id, roleId: world.roleIds[grant.role], unitId: grant.unitId }),
      );
      return;
    }
    case "disable or enable": {
      const user = world.users.at(change.user % (world.users.length || 1));
      if (!user) return;
      user.isEnabled = !user.isEnabled;
      await database.change((db) => setUserEnabled(db, user.id, user.isEnabled));
      return;
    }
    case "add a task": {
      const unitId = pick(world.units, change.unit).id;
      added += 1;
      const task = {
        ...sampleTask(1_000_000 + added),
        ...inStatus("failed"),
        created_timestamp: new Date(change.created).toISOString(),
        organizational_unit_id: unitId,
        error: { code: "x", message: canary(unitId), remedy: "none" },
      };
      world.tasks.push(task);
      await database.change((db) => insertTasks(db, [task]));
      return;
    }
    case "change a task": {
      const before = world.tasks.at(change.task % (world.tasks.length || 1));
      if (!before) return;
      const unitId = pick(world.units, change.unit).id;
      const after = {
        ...before,
        ...inStatus("failed"),
        organizational_unit_id: unitId,
        primary_entity: before.primary_entity && { ...before.primary_entity, type: canary(unitId) },
        error: { code: "x", message: canary(unitId), remedy: "none" },
      };
      world.tasks = world.tasks.map((task) => (task === before ? after : task));
      await database.change((db) => replaceTask(db, before, after));
      return;
    }
    case "delete a task": {
      const task = world.tasks.at(change.task % (world.tasks.length || 1));
      if (!task) return;
      world.tasks = world.tasks.filter((one) => one !== task);
      await database.change((db) => deleteTasks(db, [task.id]));
      return;
    }
  }
}
