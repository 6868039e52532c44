import { afterAll, expect, test } from "bun:test";
import fc from "fast-check";
import type { Queries } from "../../src/database/database";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import { openPlane, type Plane, root, sampleTask } from "../harness";
import { size } from "../runs";
import { testsOnPostgres } from "../test-database";

const plane = await openPlane();
afterAll(plane.close);
const { token } = await plane.serviceToken("owner");

/** Something that is done to the tree; numbers choose among the units that there are. */
type WriterStep =
  | { kind: "create"; at: number }
  | { kind: "move"; unit: number; to: number }
  | { kind: "delete"; unit: number }
  | { kind: "delete and move"; unit: number; to: number }
  | { kind: "add task"; at: number };

const place = fc.nat({ max: 50 });
const step: fc.Arbitrary<WriterStep> = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), at: place }),
  fc.record({ kind: fc.constant("move" as const), unit: place, to: place }),
  fc.record({ kind: fc.constant("delete" as const), unit: place }),
  fc.record({ kind: fc.constant("delete and move" as const), unit: place, to: place }),
  fc.record({ kind: fc.constant("add task" as const), at: place }),
);

interface Tree {
  /** Units and what they are directly below. */
  parents: Map<string, string | null>;
  tasks: Map<string, string>;
}

test("T10: whatever is created, moved and deleted, the paths, the lists and the counts are those of the tree", async () => {
  const tree: Tree = { parents: new Map([[root, null]]), tasks: new Map() };
  let number = 0;
  let max = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 12 }), async (escalationSteps) => {
      for (const one of escalationSteps) await follow(plane, tree, one, ++number);
      max = Math.max(max, tree.parents.size);
      await plane.database.snapshot((db) => expectSound(db, tree));
      for (const unit of sample([...tree.parents.keys()], 4)) await expectLists(unit, tree);
    }),
    // Begun with some units, so that there is always a tree.
    {
      numRuns: size({ default: 9, long: 100 }),
      examples: [[[0, 0, 1, 1, 2].map((at): WriterStep => ({ kind: "create", at }))]],
      endOnFailure: true,
    },
  );
  expect(max).toBeGreaterThan(3);
}, 120_000);

test("tasks that come in while their unit is deleted end up where everything goes, or are refused: none is lost or counted twice", async () => {
  const own = await openPlane();
  const owner = (await own.serviceToken("owner")).token;
  const target = await own.addUnit("Target");
  const outcomes = { added: 0, refused: 0 };
  for (let round = 0; round < size({ default: 6, long: 30 }); round++) {
    const unit = await own.addUnit(`Doomed ${round}`);
    await own.addTasks([{ organizational_unit_id: unit, id: taskId(round, 0) }]);
    const adding = Array.from({ length: 6 }, async (_, index) => {
      await Bun.sleep(index);
      const task = { ...sampleTask(round), organizational_unit_id: unit, id: taskId(round, index + 1) };
      return own.database.change((db) => insertTasks(db, [task]), { kind: "maintenance" });
    });
    const deleting = own.ask(`/organizational-units/${unit}?move_to=${target}`, { method: "DELETE", token: owner });
    const settled = await Promise.allSettled(adding);
    expect((await deleting).status).toBe(204);
    outcomes.added += settled.filter(({ status }) => status === "fulfilled").length + 1;
    outcomes.refused += settled.filter(({ status }) => status === "rejected").length;
  }
  const { body } = await own.ask("/tasks?limit=1000", { token: owner, unit: target });
  expect([body.total_count, body._embedded.items.length]).toEqual([outcomes.added, outcomes.added]);
  const stored = await own.database.snapshot((db) => db.selectFrom("tasks").select("organizational_unit_id").execute());
  expect(new Set(stored.map((task) => task.organizational_unit_id))).toEqual(new Set([target]));
  expect(stored.length).toBe(outcomes.added);
  await own.close();
}, 120_000);

function taskId(round: number, index: number): string {
  return `00000000-0000-7000-9000-${String(round * 100 + index).padStart(12, "0")}`;
}

/** Does one thing over the API and notes in the model what has to follow from it. */
async function follow({ ask, addTasks }: Plane, tree: Tree, one: WriterStep, number: number): Promise<void> {
  const ids = [...tree.parents.keys()];
  const pick = (at: number) => ids[at % ids.length] ?? root;
  const send = (method: string, path: string, body?: object) =>
    ask(`/organizational-units${path}`, { method, token, ...(body ? { body } : {}) });
  const isBelow = (unit: string, above: string) => climb(tree, unit).includes(above);
  switch (one.kind) {
    case "create": {
      const parent = pick(one.at);
      const { status, body } = await send("POST", "", { name: `Unit ${number}`, parent_id: parent });
      expect(status).toBe(201);
      tree.parents.set(body.id, parent);
      return;
    }
    case "move": {
      const [unit, to] = [pick(one.unit), pick(one.to)];
      const isPossible = unit !== root && !isBelow(to, unit);
      const { status } = await send("PATCH", `/${unit}`, { parent_id: to });
      expect(status).toBe(isPossible ? 200 : 409);
      tree.parents.set(unit, isPossible ? to : (tree.parents.get(unit) ?? null));
      return;
    }
    case "delete": {
      const unit = pick(one.unit);
      const isEmpty = ![...tree.parents.values()].includes(unit) && ![...tree.tasks.values()].includes(unit);
      const isPossible = unit !== root && isEmpty;
      const { status } = await send("DELETE", `/${unit}`);
      expect(status).toBe(isPossible ? 204 : 409);
      dropUnits(tree, isPossible ? [unit] : []);
      return;
    }
    case "delete and move": {
      const [unit, to] = [pick(one.unit), pick(one.to)];
      const isPossible = unit !== root && !isBelow(to, unit);
      const { status } = await send("DELETE", `/${unit}?move_to=${to}`);
      expect(status).toBe(isPossible ? 204 : 409);
      const [children, tasks] = [
        [...tree.parents].filter(([, parent]) => isPossible && parent === unit),
        [...tree.tasks].filter(([, at]) => isPossible && at === unit),
      ];
      for (const [child] of children) tree.parents.set(child, to);
      for (const [task] of tasks) tree.tasks.set(task, to);
      dropUnits(tree, isPossible ? [unit] : []);
      return;
    }
    case "add task": {
      const [task] = await addTasks([{ organizational_unit_id: pick(one.at) }]);
      tree.tasks.set(task?.id ?? "", pick(one.at));
    }
  }
}

function dropUnits({ parents }: Tree, units: readonly string[]): void {
  for (const unit of units) parents.delete(unit);
}

/** A unit and all above it, from the model. */
function climb({ parents }: Pick<Tree, "parents">, unit: string): string[] {
  const parent = parents.get(unit) ?? null;
  return parent === null ? [unit] : [unit, ...climb({ parents }, parent)];
}

/** The paths are those of the tree, every count is that of the tasks, and each task's document says where it is. */
async function expectSound(db: Queries, tree: Tree): Promise<void> {
  const paths = await db.selectFrom("organizational_unit_paths").select(["unit_id", "ancestor_id"]).execute();
  const wanted = [...tree.parents.keys()].flatMap((unit) => climb(tree, unit).map((above) => `${unit} ${above}`));
  expect(paths.map(({ unit_id, ancestor_id }) => `${unit_id} ${ancestor_id}`).sort()).toEqual(wanted.sort());
  const arrival = testsOnPostgres() ? ("xid as arrival" as const) : ("seq as arrival" as const);
  const tasks = await db.selectFrom("tasks").select(["id", arrival, "organizational_unit_id", "document"]).execute();
  expect(new Map(tasks.map((task) => [task.id, task.organizational_unit_id]))).toEqual(tree.tasks);
  for (const task of tasks) expect(JSON.parse(task.document).organizational_unit_id).toBe(task.organizational_unit_id);
  const counted = new Map<string, number>();
  for (const unit of tree.tasks.values()) counted.set(unit, (counted.get(unit) ?? 0) + 1);
  for (const table of ["task_totals", "task_days", "task_quarters"] as const) {
    const rows = await db
      .selectFrom(table)
      .select(["organizational_unit_id", "count"])
      .where("count", ">", 0)
      .execute();
    const summed = new Map<string, number>();
    for (const row of rows) {
      summed.set(row.organizational_unit_id, (summed.get(row.organizational_unit_id) ?? 0) + row.count);
    }
    expect(summed).toEqual(counted);
  }
  const lastArrival = testsOnPostgres() ? ("last_xid as arrival" as const) : ("last_seq as arrival" as const);
  const newest = await db.selectFrom("task_totals").select(["organizational_unit_id", lastArrival]).execute();
  for (const task of tasks) {
    const ofUnit = newest.filter((total) => total.organizational_unit_id === task.organizational_unit_id);
    expect(Math.max(...ofUnit.map((total) => total.arrival))).toBeGreaterThanOrEqual(task.arrival);
  }
}

/** Compares the list of a unit with the model's units there and below. */
async function expectLists(unit: string, tree: Tree): Promise<void> {
  const within = (at: string) => climb(tree, at).includes(unit);
  const units = await plane.ask("/organizational-units?limit=1000", { token, unit });
  const idsOf = (page: { _embedded: { items: { id: string }[] } }) => page._embedded.items.map(({ id }) => id).sort();
  expect(idsOf(units.body)).toEqual([...tree.parents.keys()].filter(within).sort());
  const tasks = await plane.ask("/tasks?limit=1000", { token, unit });
  const wanted = [...tree.tasks].filter(([, at]) => within(at)).map(([id]) => id);
  expect([idsOf(tasks.body), tasks.body.total_count]).toEqual([wanted.sort(), wanted.length]);
}

function sample(ids: readonly string[], count: number): string[] {
  return ids.filter((_, index) => index % Math.ceil(ids.length / count) === 0);
}
