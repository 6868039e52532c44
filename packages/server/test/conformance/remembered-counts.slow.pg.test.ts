import { afterAll, expect, test } from "bun:test";
import { parseFilter } from "@holdfast/api/conventions/filter";
import { taskCategories } from "@holdfast/api/resources/task-words";
import { type TaskV1, taskFilters } from "@holdfast/api/resources/tasks";
import fc from "fast-check";
import { sql } from "kysely";
import type { Caller } from "../../src/access/caller";
import type { DataVersions, Queries } from "../../src/database/database";
import type { ListScope } from "../../src/lists/list-source";
import type { Work } from "../../src/lists/work";
import { unitContents } from "../../src/resources/index";
import { moveUnit } from "../../src/resources/organizational-units/move-unit";
import { moveUnitContents } from "../../src/resources/organizational-units/move-unit-contents";
import { createTaskSource } from "../../src/resources/tasks/list/list-tasks";
import type { TaskRecord } from "../../src/resources/tasks/record";
import { insertTasks, saveTasks } from "../../src/resources/tasks/reports/store";
import { removeOldTasks } from "../../src/resources/tasks/retention";
import { deleteTasks, updateTask } from "../change-tasks";
import { openPlane, root, sampleTask } from "../harness";
import { taskFilter } from "../isolation/asks";
import { compareTasks, taskMatcher, type WrittenFilter } from "../isolation/model";
import { anyEnding, moment, pick, taskTypes } from "../isolation/world";
import { runs } from "../runs";

// Tasks are written by one process and listed by another one, which remembers what it has counted.
const plane = await openPlane();
const other = await openPlane({}, plane.folder);
afterAll(async () => {
  await other.close();
  await plane.close();
});

const upper = await plane.addUnit("Upper");
const lower = await plane.addUnit("Lower", upper);
const sibling = await plane.addUnit("Sibling");
const units = [root, upper, lower, sibling];
const now = Date.parse("2026-11-16T12:00:00.000Z");
const names = ["web-1", "web-2", "Mail"];
const entityOf = (name: string | null) => (name === null ? null : { id: name, type: "host", value: name });

const anyTask = fc.record({
  unit: fc.nat(),
  category: fc.constantFrom(...taskCategories),
  ending: anyEnding,
  type: fc.constantFrom(...taskTypes),
  created: moment,
  started: fc.option(moment),
  entity: fc.option(fc.constantFrom(...names)),
});
/** Change by a report: nothing that a task is found by, or some of it. */
const anyChange = fc.oneof(
  fc.record({ progress_percentage: fc.nat(100) }),
  anyEnding,
  moment.map((at) => ({ start_timestamp: new Date(at).toISOString() })),
  moment.map((at) => ({ end_timestamp: new Date(at).toISOString() })),
  fc.constantFrom(...names).map((name) => ({ primary_entity: entityOf(name) })),
  fc.constantFrom(...taskTypes).map((type) => ({ type })),
);
const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ import: fc.array(anyTask, { minLength: 1, maxLength: 12 }) }) },
  { weight: 6, arbitrary: fc.record({ report: fc.array(anyTask, { maxLength: 1 }), on: fc.nat(), change: anyChange }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.array(fc.nat(), { minLength: 1, maxLength: 4 }) }) },
  fc.record({ empty: fc.constantFrom(upper, lower, sibling), into: fc.nat() }),
  fc.record({ moveLowerTo: fc.constantFrom(root, upper, sibling) }),
  fc.record({ removeOlderThan: fc.constantFrom(10, 20) }),
);
type Step = typeof anyStep extends fc.Arbitrary<infer Value> ? Value : never;
type Sketch = typeof anyTask extends fc.Arbitrary<infer Value> ? Value : never;

let number = 0;
/** True if tasks are created in these two hours, many of them just now: those are counted as they come. */
let areRecent = false;

function taskOf({ unit, created, started, entity, ending, ...task }: Sketch): TaskRecord {
  number += 1;
  const createdAt = areRecent ? Date.now() - (created % 7_200_000) : created;
  return {
    ...sampleTask(number),
    ...task,
    ...ending,
    organizational_unit_id: pick(units, unit),
    created_timestamp: new Date(createdAt).toISOString(),
    start_timestamp: started === null ? null : new Date(started).toISOString(),
    primary_entity: entityOf(entity),
  };
}

interface Stored {
  seq: number;
  task: TaskRecord;
  entityKey: number | null;
}

async function readAll(db: Queries): Promise<Stored[]> {
  const rows = await db.selectFrom("tasks").select(["seq", "document", "entity_key"]).orderBy("seq").execute();
  return rows.map(({ seq, document, entity_key }) => {
    const { _links, ...task }: TaskV1 = JSON.parse(document);
    return { seq, task, entityKey: entity_key };
  });
}

async function parentOf(db: Queries, id: string): Promise<string> {
  const unit = await db
    .selectFrom("organizational_units")
    .select("parent_id")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return unit.parent_id ?? "";
}

/** Which units are in a unit, itself included. */
async function unitsIn(db: Queries, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("organizational_unit_paths")
    .select("unit_id")
    .where("ancestor_id", "=", id)
    .execute();
  return rows.map(({ unit_id }) => unit_id);
}

async function take(step: Step): Promise<void> {
  const { database } = other;
  if ("import" in step) {
    await database.change((db) => insertTasks(db, step.import.map(taskOf)));
  } else if ("report" in step) {
    await database.change(async (db) => {
      const stored = await readAll(db);
      const changed = stored.slice(step.on % (stored.length + 1)).slice(0, 1);
      const changes = changed.map(({ task, ...one }) => ({ ...one, before: task, after: { ...task, ...step.change } }));
      await saveTasks(db, step.report.map(taskOf), changes, async () => {}, now);
    });
  } else if ("remove" in step) {
    await database.change(async (db) => {
      const stored = await readAll(db);
      await deleteTasks(
        db,
        stored
          .filter((_, index) => step.remove.some((one) => one % stored.length === index))
          .map(({ task }) => task.id),
      );
    });
  } else if ("empty" in step) {
    await database.change(async (db) => {
      const inside = await unitsIn(db, step.empty);
      const to = pick(
        units.filter((id) => !inside.includes(id)),
        step.into,
      );
      await moveUnitContents(db, unitContents, { id: step.empty, parentId: await parentOf(db, step.empty) }, to, now);
    });
  } else if ("moveLowerTo" in step) {
    await database.change(async (db) =>
      moveUnit(
        db,
        unitContents,
        { id: lower, parentId: await parentOf(db, lower), name: "Lower" },
        step.moveLowerTo,
        now,
      ),
    );
  } else {
    // A month in which a task has not ended is kept.
    await database.change(async (db) => {
      const open = (await readAll(db)).filter(({ task }) => task.outcome === null);
      await deleteTasks(
        db,
        open.map(({ task }) => task.id),
      );
    });
    await removeOldTasks(database, { days: step.removeOlderThan, now, record: async () => {} });
  }
}

const caller: Caller = { tokenId: "a", kind: "service", userId: null, limitedAs: "a", unitId: root, roles: [] };
const work: Work = { signal: new AbortController().signal, isLong: true, step: async () => {} };
const uncounted = () => {};
/** They live through all steps of all tries, so that everything they remember has been through many commits. */
const sources = [
  createTaskSource(uncounted, { few: 0, tasksPerStep: 3 }),
  createTaskSource(uncounted, { few: 6, tasksPerStep: 20 }),
  createTaskSource(uncounted),
];

interface Ask {
  filter: WrittenFilter;
  unit: number;
  skip: number;
}

/** Compares a source with the database, both of one moment. */
async function compare({ filter, unit, skip }: Ask, source: (typeof sources)[number]) {
  const unitId = pick(units, unit);
  const scope: ListScope = { caller, unitId, permission: "tasks:read" };
  const parsed = parseFilter(JSON.stringify(filter), taskFilters).filter;
  return plane.database.snapshot(async (db, { dataVersions }) => {
    const snapshot = { db, dataVersions, work };
    const listSnapshot = await source.listSnapshot(snapshot, scope, parsed);
    const [said] =
      skip < listSnapshot.total
        ? await source.read(snapshot, scope, parsed, { listSnapshot, count: 1, from: { skip } })
        : [];
    const inside = await unitsIn(db, unitId);
    const all = (await readAll(db))
      .map(({ task }) => task)
      .filter((task) => inside.includes(task.organizational_unit_id))
      .filter(taskMatcher(filter))
      .sort(compareTasks);
    return { said: [listSnapshot.total, said?.place.id], found: [all.length, all[skip]?.id] };
  });
}

const fixed: WrittenFilter[] = [
  {},
  { status: "failed" },
  { "error.code": "runner_lost" },
  { "primary_entity.value": { $contains: "E" } },
  { "primary_entity.value": "web-1" },
  { start_timestamp: { $gte: "2026-10-31T06:00:00.000Z" } },
  { end_timestamp: { $lt: "2026-11-01T06:00:00.000Z" } },
  { type: { $neq: "borg_prune" } },
  { created_timestamp: { $lt: "2026-11-01T12:00:00.000Z" } },
  { category: "backup", created_timestamp: { $gte: "2026-10-31T00:00:00.000Z" } },
];
const anyAsks = fc.array(
  fc.record({
    filter: fc.oneof(taskFilter, { weight: 3, arbitrary: fc.constantFrom(...fixed) }),
    unit: fc.nat(),
    skip: fc.nat(20),
  }),
  { minLength: 4, maxLength: 6 },
);

test("what is remembered over commits of any kind is what a count of all tasks gives after each of them", async () => {
  await fc.assert(
    fc.asyncProperty(fc.boolean(), fc.array(anyStep, { minLength: 2, maxLength: 10 }), anyAsks, async (...given) => {
      const [isRecent, steps, asks] = given;
      areRecent = isRecent;
      for (const step of steps) {
        await take(step);
        for (const ask of asks) {
          for (const source of sources) {
            const { said, found } = await compare(ask, source);
            expect(said).toEqual(found);
          }
        }
      }
      await other.database.change(async (db) => {
        const stored = await readAll(db);
        await deleteTasks(
          db,
          stored.map(({ task }) => task.id),
        );
      });
    }),
    runs(10, 600),
  );
}, 600_000);

test("a moment before a commit has its own counts, though a later one was counted meanwhile", async () => {
  const source = createTaskSource(uncounted, { few: 0, tasksPerStep: 3 });
  const scope: ListScope = { caller, unitId: root, permission: "tasks:read" };
  const { filter } = parseFilter('{"type":"moment","created_timestamp":{"$gt":"2026-10-01T00:00:00Z"}}', taskFilters);
  const totalAt = async (db: Queries, dataVersions: DataVersions) =>
    (await source.listSnapshot({ db, dataVersions, work }, scope, filter)).total;
  const totalNow = () => plane.database.snapshot((db, { dataVersions }) => totalAt(db, dataVersions));
  const named = (...ids: string[]) => ids.map((id) => ({ id, type: "moment" }));
  await plane.addTasks(named("one"));
  expect(await totalNow()).toBe(1);
  const before = await plane.database.snapshot(
    async (db, { dataVersions }) => {
      // PostgreSQL begins a snapshot with its first question.
      await unitsIn(db, root);
      await other.addTasks(named("two", "three"));
      expect(await totalNow()).toBe(3);
      return totalAt(db, dataVersions);
    },
    { isLong: true },
  );
  expect([before, await totalNow()]).toEqual([1, 3]);
});

test("an entity that gets another name by hand is found by that name", async () => {
  const source = createTaskSource(uncounted, { few: 0, tasksPerStep: 3 });
  await plane.addTasks(names.map((name) => ({ id: name, primary_entity: entityOf(name) })));
  const named = async (name: string) => {
    const scope: ListScope = { caller, unitId: root, permission: "tasks:read" };
    const { filter } = parseFilter(JSON.stringify({ "primary_entity.value": { $contains: name } }), taskFilters);
    return plane.database.snapshot(
      async (db, { dataVersions }) => (await source.listSnapshot({ db, dataVersions, work }, scope, filter)).total,
    );
  };
  expect([await named("mail"), await named("post")]).toEqual([1, 0]);
  await other.database.change((db) =>
    sql`update entities set value = 'Post', value_folded = 'post' where value = 'Mail'`.execute(db),
  );
  expect([await named("mail"), await named("post")]).toEqual([0, 1]);
});

test("a removed task is noticed, though one that was created long ago has come in its hour; so is one that moved", async () => {
  const source = createTaskSource(uncounted, { few: 0, tasksPerStep: 3 });
  const scope: ListScope = { caller, unitId: root, permission: "tasks:read" };
  const totals = () =>
    plane.database.snapshot(async (db, { dataVersions }) => {
      const ask = async (name: string) => {
        const { filter } = parseFilter(JSON.stringify({ "primary_entity.value": { $contains: name } }), taskFilters);
        return (await source.listSnapshot({ db, dataVersions, work }, scope, filter)).total;
      };
      return [await ask("left"), await ask("come")];
    });
  const anHourAgo = new Date(Date.now() - 3_600_000).toISOString();
  const named = (id: string, name: string) => ({ id, primary_entity: entityOf(name), created_timestamp: anHourAgo });
  await plane.addTasks([named("left-1", "left"), named("left-2", "left")]);
  expect(await totals()).toEqual([2, 0]);
  await other.database.change((db) => deleteTasks(db, ["left-1"]));
  await other.addTasks([named("come-1", "come")]);
  expect(await totals()).toEqual([1, 1]);
  await other.database.change((db) => updateTask(db, "left-2", { primary_entity: entityOf("come") }));
  expect(await totals()).toEqual([0, 2]);
});
