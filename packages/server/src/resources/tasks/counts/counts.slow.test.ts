import { afterAll, beforeAll, expect, test } from "bun:test";
import { taskCategories } from "@holdfast/api/resources/task-words";
import fc from "fast-check";
import { deleteTasks, replaceTask, updateTask } from "../../../../test/change-tasks";
import { openPlane, type Plane, root, sampleTask } from "../../../../test/harness";
import { taskFilter } from "../../../../test/isolation/asks";
import { compareTasks, taskMatcher } from "../../../../test/isolation/model";
import { anyEnding, awkwardTexts, moment, pick, taskTypes } from "../../../../test/isolation/world";
import { runs } from "../../../../test/runs";
import type { TaskTotalTable } from "../../../database/schema";
import { dayLength, quarterLength, type TaskRecord } from "../record";
import { insertTasks } from "../reports/store";

let plane: Plane;
let units: string[];
let token: string;

beforeAll(async () => {
  plane = await openPlane();
  const upper = await plane.addUnit("Upper");
  units = [root, upper, await plane.addUnit("Lower", upper), await plane.addUnit("Sibling")];
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(() => plane.close());

const anyTask = fc.record({
  unit: fc.nat(),
  category: fc.constantFrom(...taskCategories),
  ending: anyEnding,
  type: fc.constantFrom(...taskTypes),
  created: moment,
  entity: fc.option(fc.constantFrom(...awkwardTexts)),
});
const anyStep = fc.oneof(
  fc.record({ kind: fc.constant("insert" as const), tasks: fc.array(anyTask, { minLength: 1, maxLength: 12 }) }),
  fc.record({ kind: fc.constant("update" as const), task: fc.nat(), ending: anyEnding }),
  fc.record({ kind: fc.constant("replace" as const), task: fc.nat(), by: anyTask }),
  fc.record({ kind: fc.constant("replace what is gone" as const), task: fc.nat(), by: anyTask }),
  fc.record({ kind: fc.constant("delete" as const), tasks: fc.array(fc.nat(), { maxLength: 4 }) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;
type Sketch = typeof anyTask extends fc.Arbitrary<infer Value> ? Value : never;

let number = 0;

function taskOf({ unit, created, entity, ending, ...task }: Sketch, id?: string): TaskRecord {
  number += 1;
  const sample = sampleTask(number);
  return {
    ...sample,
    ...task,
    ...ending,
    id: id ?? sample.id,
    organizational_unit_id: pick(units, unit),
    created_timestamp: new Date(created).toISOString(),
    primary_entity: entity === null ? null : { id: entity, type: "host", value: entity },
  };
}

/** Takes a step in the database, and gives the tasks as they have to be after it. */
async function take(step: Step, tasks: TaskRecord[]): Promise<TaskRecord[]> {
  const { database } = plane;
  if (step.kind === "insert") {
    const added = step.tasks.map((sketch) => taskOf(sketch));
    await database.change((db) => insertTasks(db, added));
    return [...tasks, ...added];
  }
  if (tasks.length === 0) return tasks;
  switch (step.kind) {
    case "update": {
      const before = pick(tasks, step.task);
      const after = await database.change((db) => updateTask(db, before.id, step.ending));
      return tasks.map((task) => (task === before ? after : task));
    }
    case "replace": {
      const before = pick(tasks, step.task);
      const after = taskOf(step.by, before.id);
      expect(await database.change((db) => replaceTask(db, before, after))).toBe(true);
      return tasks.map((task) => (task === before ? after : task));
    }
    case "replace what is gone": {
      const current = pick(tasks, step.task);
      const stale = { ...current, progress_percentage: current.progress_percentage - 1 };
      expect(await database.change((db) => replaceTask(db, stale, taskOf(step.by, current.id)))).toBe(false);
      return tasks;
    }
    case "delete": {
      const gone = step.tasks.map((index) => pick(tasks, index).id);
      await database.change((db) => deleteTasks(db, [...gone, "one that never was"]));
      return tasks.filter(({ id }) => !gone.includes(id));
    }
  }
}

/** Counts the model by what the tables count by. */
function recount(tasks: TaskRecord[], keyOf: (task: TaskRecord) => unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const task of tasks) {
    const key = keyOf(task).join(" ");
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

async function storedCounts() {
  const { totals, days, quarters } = await plane.database.snapshot(async (db) => ({
    totals: await db.selectFrom("task_totals").selectAll().where("count", "<>", 0).execute(),
    days: await db.selectFrom("task_days").selectAll().where("count", "<>", 0).execute(),
    quarters: await db.selectFrom("task_quarters").selectAll().where("count", "<>", 0).execute(),
  }));
  type Kind = Pick<TaskTotalTable, "organizational_unit_id" | "category" | "status" | "outcome">;
  const quarterKey = ({ organizational_unit_id, category, status, outcome }: Kind) =>
    `${organizational_unit_id} ${category} ${status} ${outcome}`;
  const key = (row: Kind & { type: string }) => `${row.type} ${quarterKey(row)}`;
  return {
    totals: Object.fromEntries(totals.map((row) => [key(row), row.count])),
    days: Object.fromEntries(days.map((row) => [`${row.day} ${key(row)}`, row.count])),
    quarters: Object.fromEntries(quarters.map((row) => [`${row.quarter} ${quarterKey(row)}`, row.count])),
  };
}

const pageAsk = fc.record({
  filter: taskFilter,
  limit: fc.integer({ min: 1, max: 9 }),
  page: fc.integer({ min: 1, max: 12 }),
  unit: fc.nat(),
});

test("after any sequence of writes the counts are those of a recount, and any page by number is that slice of the list", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyStep, { minLength: 1, maxLength: 12 }),
      fc.array(pageAsk, { minLength: 5, maxLength: 12 }),
      async (steps, asks) => {
        let tasks: TaskRecord[] = [];
        for (const [index, step] of steps.entries()) {
          tasks = await take(step, tasks);
          // Counts from before a step are kept for days that it leaves alone.
          await checkPage(tasks, pick(asks, index));
        }
        const quarterKey = (task: TaskRecord) => [
          task.organizational_unit_id,
          task.category,
          task.status,
          task.outcome ?? "",
        ];
        const key = (task: TaskRecord) => [task.type, ...quarterKey(task)];
        expect(await storedCounts()).toEqual({
          totals: recount(tasks, key),
          days: recount(tasks, (task) => [Math.floor(Date.parse(task.created_timestamp) / dayLength), ...key(task)]),
          quarters: recount(tasks, (task) => [
            Math.floor(Date.parse(task.created_timestamp) / quarterLength),
            ...quarterKey(task),
          ]),
        });
        for (const ask of asks) await checkPage(tasks, ask);
        await plane.database.change((db) =>
          deleteTasks(
            db,
            tasks.map(({ id }) => id),
          ),
        );
        expect(await storedCounts()).toEqual({ totals: {}, days: {}, quarters: {} });
      },
    ),
    runs(200),
  );
}, 120_000);

test("a range that begins or ends at the edge of a day counts exactly what lies in it", async () => {
  const midnight = Date.parse("2026-11-02T00:00:00.000Z");
  const edges = [0, 1, 2].flatMap((days) => [0, 1, dayLength - 1].map((rest) => midnight + days * dayLength + rest));
  const tasks = await plane.addTasks(
    edges.map((edge) => ({ id: `at ${edge}`, created_timestamp: new Date(edge).toISOString() })),
  );
  const moments = edges.map((edge) => new Date(edge).toISOString());
  const starts = ["$gt", "$gte"].flatMap((operator) => moments.map((one) => ({ [operator]: one })));
  const ends = ["$lt", "$lte"].flatMap((operator) => moments.map((one) => ({ [operator]: one })));
  const both = starts.flatMap((start) => ends.map((end) => ({ ...start, ...end })));
  for (const range of [...starts, ...ends, ...both]) {
    await checkPage(tasks, { filter: { created_timestamp: range }, limit: 2, page: 2, unit: 0 });
  }
  await plane.database.change((db) =>
    deleteTasks(
      db,
      tasks.map(({ id }) => id),
    ),
  );
});

async function checkPage(
  tasks: TaskRecord[],
  { filter, limit, page, unit }: typeof pageAsk extends fc.Arbitrary<infer Value> ? Value : never,
) {
  const unitId = pick(units, unit);
  const [, upper = "", lower = ""] = units;
  const below = unitId === root ? units : unitId === upper ? [upper, lower] : [unitId];
  const whole = tasks
    .filter((task) => below.includes(task.organizational_unit_id))
    .filter(taskMatcher(filter))
    .sort(compareTasks);
  const written = encodeURIComponent(JSON.stringify(filter));
  const { body } = await plane.ask(`/tasks?start=${page}&limit=${limit}&filter=${written}`, { token, unit: unitId });
  const ids = body._embedded.items.map(({ id }: { id: string }) => id);
  expect(ids).toEqual(whole.slice((page - 1) * limit, page * limit).map(({ id }) => id));
  expect([body.total_count, body.total_pages_count]).toEqual([whole.length, Math.ceil(whole.length / limit)]);
}
