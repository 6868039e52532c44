import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import { makeFolder, openPlane, type Plane } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";

const folder = makeFolder();
let cluster: Cluster;
let plane: Plane;
let token: string;

beforeAll(async () => {
  cluster = await startCluster({ log_statement: "all" });
  // With one connection it is known which one a request takes.
  plane = await openPlane({ database_url: await cluster.createDatabase(), database_connections: "1" }, folder);
  token = (await plane.serviceToken("viewer")).token;
  await plane.addTasks(Array.from({ length: 20 }, () => ({})));
});

afterAll(async () => {
  await plane.database.close();
  await cluster.remove();
  rmSync(folder, { recursive: true });
});

/** Asks for a page, and gives the ids of its tasks and how the server was asked for them. */
async function readPage(limit: number) {
  const before = cluster.logged().length;
  const { status, body } = await plane.ask(`/tasks?limit=${limit}`, { token });
  const logged = cluster.logged().slice(before).split("LOG:  ");
  const names = logged.map((line) => /^execute (<unnamed>|holdfast_)\S*:\s+select items/.exec(line)?.[1]);
  const ids = JSON.stringify(body).match(/(?<="id":")[^"]+/g) ?? [];
  return { status, ids, names: names.filter((name) => name !== undefined) };
}

test("a page is read by a statement that the connection keeps", async () => {
  const { ids } = await readPage(10);
  expect(ids.length).toBeGreaterThanOrEqual(10);
  expect(await readPage(11)).toEqual({ status: 200, ids: expect.arrayContaining(ids), names: ["holdfast_"] });
});

/** How the server runs a statement that it keeps, whatever its values are. */
async function keptPlans(like: string, values: string): Promise<string[]> {
  return plane.database.snapshot(async (db) => {
    const { rows } = await sql<{ name: string }>`
      select name from pg_prepared_statements where statement like ${like} and generic_plans > 0`.execute(db);
    await sql`set local plan_cache_mode = force_generic_plan`.execute(db);
    const explained = rows.map(({ name }) =>
      sql<Record<string, string>>`explain (costs off) execute ${sql.id(name)} (${sql.raw(values)})`.execute(db),
    );
    return (await Promise.all(explained)).map(({ rows }) => rows.map((row) => row["QUERY PLAN"]).join("\n"));
  });
}

test("T39: the plan that is kept for all values reads a page through the index in list order", async () => {
  expect(await keptPlans("%string_agg(document%", "'{1000}', 0, 9999999999999, 11, 0")).toEqual([
    expect.stringMatching(/Limit\s+->\s+(Append\s+->\s+)?Index Scan Backward using tasks_\d+_pkey/),
  ]);
});

test("T39: the plan that is kept for all names contained reads a page through the index by entity", async () => {
  const named = (n: number) => ({ id: `named-${n}`, type: "host", value: `named-${n}.example.org` });
  await plane.addTasks(Array.from({ length: 2_000 }, (_, n) => ({ primary_entity: named(n % 500) })));
  const filter = encodeURIComponent('{"primary_entity.value":{"$contains":"named-12"}}');
  const { body } = await plane.ask(`/tasks?limit=5&filter=${filter}`, { token });
  expect(body).toMatchObject({ total_count: 44 });
  const values = "'{1,2,3}', '{10000}', 0, 9999999999999, 6, 0";
  expect(await keptPlans("%string_agg(document%entity_key = any(%", values)).toEqual([
    expect.stringMatching(/Index Scan (using|on) tasks_\d+_entity_key_created_at_id_idx/),
  ]);
});

test("T39: the plan that is kept for all times counts failed tasks through the index by status", async () => {
  const at = Date.parse("2026-09-01T00:00:00Z");
  const created = (hours: number) => ({ created_timestamp: new Date(at + hours * 3_600_000).toISOString() });
  await plane.addTasks(Array.from({ length: 720 }, (_, hours) => ({ status: "failed", ...created(hours) })));
  const countBefore = async (hours: number) => {
    const filter = { status: "failed", created_timestamp: { $lt: created(hours).created_timestamp } };
    const { body } = await plane.ask(`/tasks?limit=5&filter=${encodeURIComponent(JSON.stringify(filter))}`, { token });
    return body.total_count;
  };
  // It cuts through a day, of which the tasks are counted one by one.
  expect((await countBefore(700)) - (await countBefore(690))).toBe(10);
  expect(await keptPlans("%count(*)%\"status\" = 'failed'%", "0, 9999999999999")).toEqual([
    expect.stringMatching(/Index (Only )?Scan using tasks_\d+_status_created_at_id_idx/),
  ]);
});

test("T39: counts of units that PostgreSQL takes for few are not looked for once for each of them", async () => {
  const unit = await plane.addUnit("With tasks");
  // More than are counted one by one.
  await plane.addTasks(Array.from({ length: 2_500 }, () => ({ organizational_unit_id: unit })));
  const before = cluster.logged().length;
  const { status } = await plane.ask("/tasks?limit=5&start=2", { token, unit });
  const asked = /execute <unnamed>: (select "hour" .* from "task_hours" .*)/.exec(cluster.logged().slice(before))?.[1];
  const plan = await plane.database.snapshot(async (db) => {
    await sql`prepare counts as ${sql.raw(asked ?? "")}`.execute(db);
    const { rows } = await sql<
      Record<string, string>
    >`explain (costs off) execute counts (${sql.lit(unit)}, 0, 1000000)`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect([status, plan]).toEqual([200, expect.stringContaining("hashed SubPlan")]);
  expect(plan).not.toContain("Nested Loop");
});

test("a task that was added is counted alone, not again with all others of its hour", async () => {
  const countNamed = async () => {
    const before = cluster.logged().length;
    const { body } = await plane.ask('/tasks?filter={"primary_entity.value":{"$contains":"counted"}}', { token });
    const counting = cluster
      .logged()
      .slice(before)
      .split("LOG:  ")
      .filter((line) => /count\(\*\) as count\s+from tasks/.test(line));
    return { total: body.total_count, isOfAdded: counting.map((line) => line.includes("seq > coalesce(")) };
  };
  const now = () => new Date().toISOString();
  const entity = { id: "counted", type: "host", value: "counted.example.org" };
  // As many that it is not cheaper to look for them alone.
  const many = Array.from({ length: 3_000 }, () => ({ primary_entity: entity, created_timestamp: now() }));
  await plane.addTasks(many);
  const { total } = await countNamed();
  await plane.addTasks([{ primary_entity: entity, created_timestamp: now() }]);
  expect([total, await countNamed()]).toEqual([3_000, { total: 3_001, isOfAdded: [true] }]);
});

test("a statement that a pooler sends to a connection which does not know it costs no answer, and names are given up", async () => {
  const before = await readPage(12);
  await plane.database.snapshot((db) => sql`deallocate all`.execute(db));
  const after = await readPage(13);
  expect(after).toEqual({ status: 200, ids: expect.arrayContaining(before.ids), names: ["<unnamed>"] });
  expect(await readPage(14)).toMatchObject({ status: 200, names: ["<unnamed>"] });
});
