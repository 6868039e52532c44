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

/** Asks for a page, and gives the ids of its tasks and whether the snapshot was begun by a statement that the connection keeps. */
async function readPage(limit: number) {
  const before = cluster.logged().length;
  const { status, body } = await plane.ask(`/tasks?limit=${limit}`, { token });
  const logged = cluster.logged().slice(before).split("LOG:  ");
  const names = logged.map((line) => /^execute (<unnamed>|holdfast_)\S*:\s+select pg_is_in_recovery/.exec(line)?.[1]);
  const ids = JSON.stringify(body).match(/(?<="id":")[^"]+/g) ?? [];
  return { status, ids, names: names.filter((name) => name !== undefined) };
}

test("a snapshot is begun by a statement that the connection keeps", async () => {
  const { ids } = await readPage(10);
  expect(ids.length).toBeGreaterThanOrEqual(10);
  expect(await readPage(11)).toEqual({ status: 200, ids: expect.arrayContaining(ids), names: ["holdfast_"] });
});

test("T39: counts of units that PostgreSQL takes for few are not looked for once for each of them", async () => {
  const unit = await plane.addUnit("With tasks");
  await plane.addTasks(Array.from({ length: 2_500 }, () => ({ organizational_unit_id: unit })));
  const before = cluster.logged().length;
  const { status } = await plane.ask("/task-counts?interval=hour", { token, unit });
  const asked = /execute <unnamed>:\s+(select "hour" as number.*?group by "hour", "outcome")/s.exec(
    cluster.logged().slice(before),
  )?.[1];
  const plan = await plane.database.snapshot(async (db) => {
    await sql`prepare counts as ${sql.raw(asked ?? "")}`.execute(db);
    const { rows } = await sql<
      Record<string, string>
    >`explain (costs off) execute counts (0, 1000000, ${sql.lit(unit)})`.execute(db);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
  expect([status, plan]).toEqual([200, expect.stringContaining("hashed SubPlan")]);
  expect(plan).not.toContain("Nested Loop");
});

test("a statement that a pooler sends to a connection which does not know it costs no answer, and names are given up", async () => {
  const before = await readPage(12);
  await plane.database.snapshot((db) => sql`deallocate all`.execute(db));
  const after = await readPage(13);
  expect(after).toEqual({ status: 200, ids: expect.arrayContaining(before.ids), names: ["<unnamed>"] });
  expect(await readPage(14)).toMatchObject({ status: 200, names: ["<unnamed>"] });
});
