import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import { makeFolder, openPlane, type Plane } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";

const folder = makeFolder();
let cluster: Cluster;
let plane: Plane;
let token: string;
let unit: string;

const named = (n: number) => ({ id: `named-${n}`, type: "host", value: `named-${n}.example.org` });

beforeAll(async () => {
  cluster = await startCluster({ log_statement: "all" });
  plane = await openPlane({ database_url: await cluster.createDatabase(), database_connections: "1" }, folder);
  token = (await plane.serviceToken("viewer")).token;
  unit = await plane.addUnit("With tasks");
  const at = Date.parse("2026-09-01T00:00:00Z");
  const created = (minutes: number) => new Date(at + minutes * 60_000).toISOString();
  // More than are looked through at once.
  const tasks = Array.from({ length: 25_000 }, (_, n) => ({
    created_timestamp: created(n),
    ...(n % 2 === 0 ? { organizational_unit_id: unit } : {}),
    ...(n % 3 === 0 ? { status: "failed" as const } : {}),
    primary_entity: named(n % 500),
  }));
  await plane.addTasks(tasks);
});

afterAll(async () => {
  await plane.database.close();
  await cluster.remove();
  rmSync(folder, { recursive: true });
});

/** Sends a request, and explains the statements that PostgreSQL was sent for it and that match a pattern. */
async function plansOf(query: string, statement: RegExp, inUnit?: string): Promise<string[]> {
  const before = cluster.logged().length;
  const { status } = await plane.ask(`/tasks?${query}`, { token, ...(inUnit ? { unit: inUnit } : {}) });
  expect(status).toBe(200);
  const logged = cluster
    .logged()
    .slice(before)
    .matchAll(/execute \S+:\s+(select[^;]*?)\n\S+ \S+ \S+ \[\d+\][^\n]*DETAIL: {2}parameters: ([^\n]*)/g);
  const sent = [...logged].filter(([, text = ""]) => statement.test(text));
  return plane.database.snapshot(async (db) => {
    const plans: string[] = [];
    for (const [number, [, text = "", parameters = ""]] of sent.entries()) {
      const values = parameters.replaceAll(/\$\d+ = /g, "");
      await sql`prepare ${sql.id(`sent_${number}`)} as ${sql.raw(text)}`.execute(db);
      const { rows } = await sql<
        Record<string, string>
      >`explain (costs off) execute ${sql.id(`sent_${number}`)} (${sql.raw(values)})`.execute(db);
      plans.push(rows.map((row) => row["QUERY PLAN"]).join("\n"));
      await sql`deallocate ${sql.id(`sent_${number}`)}`.execute(db);
    }
    return plans;
  });
}

const filter = (conditions: object) => `filter=${encodeURIComponent(JSON.stringify(conditions))}`;

test("T39: a page is read through the index in list order", async () => {
  expect(await plansOf("limit=5", /document/)).toEqual([
    expect.stringMatching(/Limit\s+->\s+(Append\s+->\s+)?Index Scan Backward using tasks_\d+_pkey/),
  ]);
});

test("T39: tasks of few entities are found through the index by entity", async () => {
  expect(await plansOf(`limit=5&${filter({ "primary_entity.value": { $contains: "named-12" } })}`, /document/)).toEqual(
    [expect.stringMatching(/Index (Only )?Scan (using|on) tasks_\d+_entity_key_created_at_id_idx/)],
  );
});

test("T39: tasks of many entities are read in list order, each looked up among the entities once", async () => {
  const [plan] = await plansOf(`limit=5&${filter({ "primary_entity.value": { $contains: "named" } })}`, /document/);
  expect(plan).toContain("hashed SubPlan");
  expect(plan).not.toContain("Nested Loop");
});

test("T39: counts of units that PostgreSQL takes for few are not looked for once for each of them", async () => {
  const [plan] = await plansOf(
    `limit=5&${filter({ created_timestamp: { $gte: "2026-09-03T12:00:00Z" } })}`,
    /sum\(count\).*from task_days/s,
    unit,
  );
  expect(plan).toContain("hashed SubPlan");
  expect(plan).not.toContain("Nested Loop");
});
