import { afterAll, beforeAll, expect, test } from "bun:test";
import { Client } from "pg";
import { type Cluster, startCluster } from "../postgres-cluster";
import { control, timeLimit } from "../runs";
import { type ServedDatabase, serveFrom } from "./serve-from";

let cluster: Cluster;
let served: ServedDatabase;
let url: string;

beforeAll(async () => {
  cluster = await startCluster();
  url = await cluster.createDatabase();
  served = await serveFrom(url, { database_timeout: "1", database_connections: "2" });
});

afterAll(async () => {
  await served.stop();
  await cluster.remove();
});

/** Keeps everybody from reading a table until the lock is released. */
async function lock(table: string): Promise<{ release(): Promise<void> }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query("begin");
  await client.query(`lock table ${table} in access exclusive mode`);
  return {
    async release() {
      await client.query("rollback");
      await client.end();
    },
  };
}

let asked = 0;

/** Asks for a list that nobody has asked for before, so that it cannot be remembered. */
async function askAnew(resource: string) {
  asked += 1;
  const startedAt = performance.now();
  const path = `/${resource}?limit=${1 + (asked % 900)}`;
  const { status, headers } = await served.server.ask(path, { token: served.token });
  return { status, retryAfter: headers.get("retry-after"), isInTime: performance.now() - startedAt < timeLimit(2_000) };
}

const well = { status: 200, retryAfter: null, isInTime: true };
const refused = { status: 503, retryAfter: "1", isInTime: true };

test("R8: what takes the database longer than database_timeout ends in 503, while everything else goes on", async () => {
  const held = await lock("tasks");
  const slow = askAnew("tasks");
  expect(await askAnew("users")).toEqual(well);
  expect((await served.server.ask("/readyz")).status).toBe(200);
  expect(await slow).toEqual(refused);
  await held.release();
  expect(await askAnew("tasks")).toEqual(well);
  expect(served.server.printed()).toContain("The database took too long.");
}, 120_000);

test("R8: when all connections are busy with what is slow, nobody waits longer than that, and then all is well", async () => {
  const held = await lock("tasks");
  const answers = await Promise.all(Array.from({ length: 40 }, () => askAnew("tasks")));
  expect(answers).toEqual(answers.map(() => refused));
  expect((await served.server.ask("/healthz")).status).toBe(200);
  await held.release();
  const after = await Promise.all(Array.from({ length: 40 }, () => askAnew("tasks")));
  expect(after).toEqual(after.map(() => well));
  expect((await served.server.ask("/readyz")).status).toBe(200);
}, 120_000);

test("R8: a table that every request needs leaves nobody waiting either", async () => {
  const held = await lock("api_tokens");
  // Something was committed since, so that the token has to be looked up.
  await cluster.query(
    "update users set full_name = full_name; update roles set name = name",
    new URL(url).pathname.slice(1),
  );
  const answers = await Promise.all(Array.from({ length: 10 }, () => askAnew("users")));
  expect(answers).toEqual(answers.map(() => refused));
  await held.release();
  expect(await askAnew("users")).toEqual(well);
}, 120_000);

control(
  "R8: the control: with a database_timeout of a minute the same lock is waited for",
  async () => {
    const patient = await serveFrom(await cluster.createDatabase("patient"), { database_timeout: "60" });
    const client = new Client({ connectionString: cluster.url("patient") });
    await client.connect();
    await client.query("begin");
    await client.query("lock table tasks in access exclusive mode");
    const startedAt = performance.now();
    const answer = patient.server.ask("/tasks?limit=7", { token: patient.token });
    await Bun.sleep(3_000);
    await client.query("rollback");
    await client.end();
    expect((await answer).status).toBe(200);
    expect(performance.now() - startedAt).toBeGreaterThan(3_000);
    await patient.stop();
  },
  120_000,
);
