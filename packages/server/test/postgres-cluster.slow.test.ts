import { afterAll, beforeAll, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { processesIn } from "./folder-processes";
import { type Cluster, startCluster } from "./postgres-cluster";
import { until } from "./until";

const clusters: Cluster[] = [];

async function startForTest(settings: Record<string, string> = {}): Promise<Cluster> {
  const cluster = await startCluster(settings);
  clusters.push(cluster);
  return cluster;
}

/** Cluster that most of the tests share: each leaves it running. */
let cluster: Cluster;
beforeAll(async () => {
  cluster = await startForTest({ work_mem: "8MB" });
});

afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.remove()));
});

test("a cluster is safe by default, takes settings, and listens on this machine only", async () => {
  const names = ["fsync", "full_page_writes", "synchronous_commit", "server_encoding", "lc_collate", "work_mem"];
  const shown = names.map((name) => `current_setting('${name}') as ${name}`);
  expect(await cluster.query(`select ${shown.join(", ")}, inet_server_addr()::text as address`)).toEqual([
    {
      fsync: "on",
      full_page_writes: "on",
      synchronous_commit: "on",
      server_encoding: "UTF8",
      lc_collate: "C",
      work_mem: "8MB",
      address: "127.0.0.1/32",
    },
  ]);
  const url = await cluster.createDatabase("plant");
  expect(new URL(url).pathname).toBe("/plant");
  expect(await cluster.query("select current_database() as name", "plant")).toEqual([{ name: "plant" }]);
});

test.each(["kill", "stop"] as const)(
  "after %s the cluster starts again on its port with what was committed",
  async (end) => {
    await cluster.query(`create table kept_after_${end} as select 7 as number`);
    const connected = await connect(cluster);
    const lost = new Promise((resolve) => connected.once("error", resolve));
    const { port } = cluster;
    const pid = cluster.pid();
    await cluster[end]();
    await lost;
    expect(processesIn(cluster.folder)).toEqual([]);
    expect(() => cluster.pid()).toThrow("does not run");
    await expect(cluster.query("select 1")).rejects.toThrow("ECONNREFUSED");
    await cluster.start();
    expect(cluster.pid()).not.toBe(pid);
    expect(cluster.port).toBe(port);
    expect(await cluster.query(`select number from kept_after_${end}`)).toEqual([{ number: 7 }]);
  },
);

test("a paused cluster answers nothing, and goes on where it was when it is resumed", async () => {
  const client = await connect(cluster);
  const answered: string[] = [];
  cluster.pause();
  const answer = client.query("select 1").then(() => answered.push("old connection"));
  const greeting = connect(cluster).then((late) => {
    answered.push("new connection");
    return late;
  });
  await Bun.sleep(500);
  expect(answered).toEqual([]);
  cluster.resume();
  await answer;
  const late = await greeting;
  expect(answered.toSorted()).toEqual(["new connection", "old connection"]);
  await Promise.all([client.end(), late.end()]);
});

test("a replica follows its primary, refuses to be written to, and takes writes once promoted", async () => {
  const primary = await startForTest();
  await primary.query("create table kept as select 1 as number");
  const replica = await primary.makeReplica();
  clusters.push(replica);
  expect(replica.port).not.toBe(primary.port);
  await primary.query("alter system set synchronous_standby_names = '*'");
  await primary.query("alter system set synchronous_commit = 'remote_apply'");
  await primary.query("select pg_reload_conf()");
  await primary.query("insert into kept values (2)");
  const numbers = "select number from kept order by number";
  // The settings may have come into force after that commit.
  await until("the replica has it", async () => (await replica.query(numbers)).length === 2);
  expect(await replica.query(numbers)).toEqual([{ number: 1 }, { number: 2 }]);
  await expect(replica.query("insert into kept values (3)")).rejects.toThrow("read-only transaction");
  await primary.kill();
  await replica.promote();
  await replica.query("alter system reset all");
  await replica.query("select pg_reload_conf()");
  await replica.query("insert into kept values (3)");
  expect(await replica.query(numbers)).toEqual([{ number: 1 }, { number: 2 }, { number: 3 }]);
});

test("removing a cluster ends its processes and deletes its folder, even where it is paused", async () => {
  const paused = await startCluster();
  paused.pause();
  await paused.remove();
  expect(processesIn(paused.folder)).toEqual([]);
  expect(existsSync(paused.folder)).toBe(false);
});

test("a cluster goes with the process that started it, even where that is killed", async () => {
  const script = `const { startCluster } = await import(process.argv[1]);
    process.stdout.write((await startCluster()).folder + "\\n");
    setInterval(() => {}, 1000);`;
  const module = fileURLToPath(new URL("./postgres-cluster.ts", import.meta.url));
  const child = Bun.spawn([process.execPath, "-e", script, module], { stdin: "ignore", stdout: "pipe" });
  const { value } = await child.stdout.getReader().read();
  const folder = new TextDecoder().decode(value).trim();
  expect(processesIn(folder)).not.toEqual([]);
  child.kill("SIGKILL");
  await child.exited;
  for (const deadline = performance.now() + 60_000; existsSync(folder) && performance.now() < deadline; ) {
    await Bun.sleep(20);
  }
  expect(existsSync(folder)).toBe(false);
  expect(processesIn(folder)).toEqual([]);
});

async function connect(cluster: Cluster): Promise<Client> {
  const client = new Client({ connectionString: cluster.url() });
  // A connection that breaks says so, which would end the tests where nobody listens.
  client.on("error", () => {});
  await client.connect();
  return client;
}
