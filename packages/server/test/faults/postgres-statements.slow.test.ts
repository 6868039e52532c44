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

test("a statement that a pooler sends to a connection which does not know it costs no answer, and names are given up", async () => {
  const before = await readPage(12);
  await plane.database.snapshot((db) => sql`deallocate all`.execute(db));
  const after = await readPage(13);
  expect(after).toEqual({ status: 200, ids: expect.arrayContaining(before.ids), names: ["<unnamed>"] });
  expect(await readPage(14)).toMatchObject({ status: 200, names: ["<unnamed>"] });
});
