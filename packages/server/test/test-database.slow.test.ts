import { afterAll, beforeAll, expect, test } from "bun:test";
import { fileURLToPath } from "node:url";
import { type Cluster, startCluster } from "./postgres-cluster";
import { dropDatabasesOfRun } from "./test-database";

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.remove());

/** Makes two databases in a process of its own, so that what it remembers of a server is its own as well. */
async function makeTwo(environment: Record<string, string>): Promise<string[]> {
  const script = `const { createTestDatabase } = await import(process.argv[1]);
    const { Client } = await import("pg");
    const prepare = async (url) => {
      process.stdout.write("prepared\\n");
      const client = new Client({ connectionString: url });
      await client.connect();
      await client.query("create table prepared ()");
      await client.end();
    };
    const [kept, dropped] = await Promise.all([createTestDatabase(prepare), createTestDatabase(prepare)]);
    await dropped.drop();
    process.stdout.write(new URL(kept.url).pathname.slice(1) + "\\n");
    process.exit();`;
  const module = fileURLToPath(new URL("./test-database.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "-e", script, module], {
    cwd: import.meta.dir,
    stdin: "ignore",
    stdout: "pipe",
    env: { ...process.env, HOLDFAST_TEST_RUN: undefined, HOLDFAST_TEST_DATABASE_URL: cluster.url(), ...environment },
  });
  const printed = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return printed.trim().split("\n");
}

async function databases(): Promise<unknown[]> {
  const rows = await cluster.query("select datname from pg_database where datname like 'holdfast%' order by datname");
  return rows.map(({ datname }) => datname);
}

const tables = "select relname from pg_class where relname = 'prepared'";

test("processes of one run prepare the template once, and the run's databases can be dropped", async () => {
  const made = (await Promise.all([1, 2, 3].map(() => makeTwo({ HOLDFAST_TEST_RUN: "a1" })))).flat();
  const kept = made.filter((line) => line !== "prepared");
  expect(made.length - kept.length).toBe(1);
  expect(await databases()).toEqual([...kept, "holdfast_test_a1_template"].toSorted());
  expect(await cluster.query(tables, kept[2])).toEqual([{ relname: "prepared" }]);
  await makeTwo({ HOLDFAST_TEST_RUN: "a11" });
  await dropDatabasesOfRun(cluster.url(), "a1");
  expect(await databases()).toEqual([
    expect.stringMatching(/^holdfast_test_a11_\w{32}$/),
    "holdfast_test_a11_template",
  ]);
  await dropDatabasesOfRun(cluster.url(), "a11");
  expect(await databases()).toEqual([]);
});

test("without a run that removes it, no template is left on the server that is named", async () => {
  const [name = ""] = await makeTwo({});
  expect(await databases()).toEqual([name]);
  expect(await cluster.query(tables, name)).toEqual([]);
});

test("without a server that is named, databases are made on one that goes with the process", async () => {
  const [first, second] = await makeTwo({ HOLDFAST_TEST_DATABASE_URL: "" });
  expect([first, second]).toEqual(["prepared", expect.stringMatching(/^holdfast_test_\w{8}_\w{32}$/)]);
});
