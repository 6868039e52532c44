import { afterAll, expect, test } from "bun:test";
import { type KyselyPlugin, sql } from "kysely";
import { Client } from "pg";
import { followTasks } from "../../src/resources/follow-tasks";
import type { NewTask } from "../../src/resources/tasks/lifecycle";
import {
  readGroup,
  type TaskReport,
  type WrittenReport,
  writeReports,
} from "../../src/resources/tasks/reports/write-reports";
import { newestPlace, readChanges } from "../../src/resources/tasks/watch/task-changes";
import { openByUrl } from "../folder-database";
import { openPlane, root, walk } from "../harness";
import { recountTasks } from "../recount";
import { createTestDatabase } from "../test-database";

// Two processes report at the same time, and the one that was numbered first commits last.
const made = await createTestDatabase();
const plane = await openPlane({ database_url: made.url });
const { token } = await plane.serviceToken("owner");
const other = await openByUrl(made.url);
const observer = new Client({ connectionString: made.url });
await observer.connect();
afterAll(async () => {
  await observer.end();
  await other.close();
  await plane.close();
  await made.drop();
});

/** A report on a new task. */
function begin(task: Partial<NewTask> = {}): TaskReport {
  const id = task.id ?? crypto.randomUUID();
  const unitId = task.organizational_unit_id ?? root;
  const reported: NewTask = { category: "backup", type: "restic", ...task, id, organizational_unit_id: unitId };
  return { operation: "create", taskId: id, task: reported, reporter: { holder: "a runner", mayRead: true }, unitId };
}

/** Writes a report as a process does; what is written is committed when that is asked for. */
function write(database: typeof other, report: TaskReport) {
  const [written, mayCommit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.change(
    async (db) => {
      const options = { now: plane.clock.now, taskLogLimit: 1_000, follow: followTasks };
      const [result] = await writeReports(db, [report], options);
      // Statements that would be sent together with the commit are sent and numbered now.
      await sql`select`.execute(db);
      written.resolve();
      await mayCommit.promise;
      return result;
    },
    { kind: "report" },
  );
  return {
    id: report.taskId,
    written: written.promise,
    commit: (): Promise<WrittenReport | undefined> => {
      mayCommit.resolve();
      return done;
    },
  };
}

/** Two reports that are written at the same time, the first of which is of a task that began long ago. */
async function writeTwo(unitId: string) {
  const early = write(plane.database, begin({ organizational_unit_id: unitId, age_ms: 14.5 * 86_400_000 }));
  await early.written;
  const later = write(other, begin({ organizational_unit_id: unitId }));
  await later.written;
  return { early, later };
}

/** Waits until so many transactions wait for locks of others. */
async function waitForWaiting(count: number): Promise<void> {
  const question = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await observer.query(question)).rows.length < count) await Bun.sleep(10);
}

test("R9 a walk sees what was committed when it began, and never a lower number that was committed later", async () => {
  const unit = await plane.addUnit("Walked over");
  await plane.addTasks([1, 2, 3, 4].map(() => ({ organizational_unit_id: unit })));
  const { early, later } = await writeTwo(unit);
  await later.commit();
  const pages: number[] = [];
  const seen = await walk(plane, "/tasks?limit=2", { token, unit }, async ({ body }) => {
    pages.push(body.total_count);
    await early.commit();
  });
  const ids = seen.map(({ id }) => id);
  expect([ids.length, new Set(ids).size, ids.includes(later.id), ids.includes(early.id)]).toEqual([5, 5, true, false]);
  expect(pages).toEqual([5, 5, 5]);
  expect(await walk(plane, "/tasks?limit=4", { token, unit })).toHaveLength(6);
}, 60_000);

test("R11 a stream says a lower number that is committed after a higher one", async () => {
  const since = await newestPlace(plane.database);
  const { early, later } = await writeTwo(root);
  await later.commit();
  const first = await readChanges(plane.database, since);
  await early.commit();
  const second = await readChanges(plane.database, first.place);
  const said = [...first.changes, ...second.changes].map(({ taskId }) => taskId);
  expect(said).toEqual([early.id, later.id]);
  expect([first.isBroken, second.isBroken, await newestPlace(plane.database)]).toEqual([false, false, second.place]);
}, 60_000);

test("R10 a page that is remembered from before a commit is not given after it", async () => {
  const unit = await plane.addUnit("Remembered");
  const total = async () => (await plane.ask("/tasks?limit=1", { token, unit })).body.total_count;
  const { early, later } = await writeTwo(unit);
  const totals = [await total(), await total()];
  await later.commit();
  totals.push(await total(), await total());
  await early.commit();
  expect([...totals, await total()]).toEqual([0, 0, 1, 1, 2]);
}, 60_000);

test("R10 an entity with a lower key is found by its name as soon as it is committed, also after one with a higher key", async () => {
  const entity = (name: string) => ({ primary_entity: { id: name, type: "host", value: `Late ${name}` } });
  const find = async () => {
    const filter = encodeURIComponent(JSON.stringify({ "primary_entity.value": { $contains: "late " } }));
    const { body } = await plane.ask(`/tasks?filter=${filter}`, { token });
    return body._embedded.items.map(({ id }: { id: string }) => id).sort();
  };
  const report = async (name: string) => {
    const { id, commit } = write(other, begin(entity(name)));
    await commit();
    return id;
  };
  const known = await report("known");
  expect(await find()).toEqual([known]);
  // A process takes a key and waits; meanwhile another one commits an entity with the next.
  const taken = await observer.query("select nextval(pg_get_serial_sequence('entities', 'key')) as key");
  const later = await report("later");
  expect(await find()).toEqual([known, later].sort());
  await observer.query(
    `insert into entities (key, id, type, value, id_folded, value_folded) overriding system value
     values ($1, 'early', 'host', 'Late early', 'early', 'late early')`,
    [taken.rows[0].key],
  );
  const early = await report("early");
  const inOrder = await observer.query("select id from entities where value like 'Late %' order by key");
  expect(inOrder.rows.map(({ id }) => id)).toEqual(["known", "early", "later"]);
  expect(await find()).toEqual([known, early, later].sort());
}, 60_000);

test("two processes that report the same new task at once make it once", async () => {
  const unit = await plane.addUnit("Once");
  const report = begin({ organizational_unit_id: unit });
  const first = write(plane.database, report);
  await first.written;
  const second = write(other, report);
  const repeated = second.commit();
  await waitForWaiting(1);
  expect(await first.commit()).toMatchObject({ isNew: true });
  expect(await repeated).toMatchObject({ isNew: false, isRepeated: true });
  expect((await plane.ask("/tasks", { token, unit })).body.total_count).toBe(1);
}, 60_000);

test("a task that another process makes while it is looked for is looked for again", async () => {
  const report = begin();
  // Its lease is looked for before it is made, and the task afterwards.
  const afterLeases: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      making ??= write(other, report).commit();
      await making;
      return result;
    },
  };
  let making: Promise<unknown> | undefined;
  const reading = plane.database.change(
    async (db) => {
      const watched = db.withPlugin(afterLeases);
      return readGroup(watched, [report.taskId], [root], followTasks);
    },
    { kind: "report" },
  );
  const group = await reading;
  expect(group.get(report.taskId).task?.lease).toBeDefined();
}, 60_000);

test("what two processes report of one monitor and one entity at once is all kept", async () => {
  const unit = await plane.addUnit("Shared");
  const host = { id: "host-1", type: "host", value: "web-01" };
  const body = { name: "Files", primary_entity: host };
  const made = await plane.ask("/monitors", { method: "POST", token, unit, body });
  const unitOf = { organizational_unit_id: unit };
  const run: Partial<NewTask> = { ...unitOf, monitor_id: made.body.id, primary_entity: host };
  const error = { code: "disk_full", message: "It is full.", remedy: "Make room." };
  const failed = write(other, begin({ ...run, status: "failed", error }));
  await failed.commit();
  const good = write(plane.database, begin({ ...run, status: "completed" }));
  await good.written;
  plane.clock.now += 1_000;
  const restored = write(other, begin({ ...unitOf, category: "restore", primary_entity: host, status: "completed" }));
  const running = write(other, begin({ ...unitOf, monitor_id: made.body.id }));
  const both = [restored.commit(), running.commit()];
  await waitForWaiting(2);
  await good.commit();
  await Promise.all(both);
  const [entity] = (await plane.ask("/entities", { token, unit })).body._embedded.items;
  const { body: monitor } = await plane.ask(`/monitors/${made.body.id}`, { token, unit });
  const idsOf = (runs: { task_id: string }[]) => runs.map(({ task_id }) => task_id);
  expect(idsOf(entity.recent_outcomes).sort()).toEqual([failed.id, good.id].sort());
  expect(entity.last_restore.task_id).toBe(restored.id);
  expect(entity.last_good_backup.task_id).toBe(good.id);
  expect(monitor).toMatchObject({ is_running: true, state: "ok", last_task_id: running.id });
  expect(idsOf(monitor.recent_outcomes).sort()).toEqual([failed.id, good.id].sort());
}, 60_000);

test("after all of this the counts of all writers together are what the tasks give", async () => {
  const { kept, counted } = await plane.database.snapshot(recountTasks);
  expect(kept).toEqual(counted);
  const { rows } = await observer.query("select distinct writer from task_totals order by writer");
  expect(rows).toEqual([{ writer: 0 }, { writer: 1 }, { writer: 2 }]);
});
