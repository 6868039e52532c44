import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RawSettings } from "../../src/settings/settings";
import { type Cluster, startCluster } from "../postgres-cluster";
import type { ServerProcess } from "../process";
import { until } from "./replicated-planes";
import { type ServedDatabase, serveFrom } from "./serve-from";
import { askSteadily } from "./steady-asking";

const near = "The replica is close to the primary, so lists are read from it.";
const away = "The replica cannot be used, so lists are read from the primary.";

/** Unlike all others, whoever has added those. */
const newTask = () => ({ id: crypto.randomUUID() });

let primary: Cluster;
let replica: Cluster;
beforeAll(async () => {
  primary = await startCluster();
  replica = await primary.makeReplica({ log_statement: "all" });
}, 60_000);
afterAll(async () => {
  await replica.remove();
  await primary.remove();
});

/** What the log says of the replica. */
function news({ printed }: ServerProcess): { message: string; error?: string }[] {
  const lines = printed().split("\n");
  return lines.filter((line) => /"message":"The replica/.test(line)).map((line) => JSON.parse(line));
}

/** Waits until the log says so much of the replica, and gives what it says. */
async function untilTold(server: ServerProcess, count: number) {
  await until(`there are ${count} news`, () => news(server).length >= count, 15_000);
  return news(server).map(({ message }) => message);
}

/** Serves from a new database on the primary, with a replica. */
function serveWith(database: string, flags: RawSettings = {}): Promise<ServedDatabase> {
  return serveFrom(primary.url(database), { replica_url: replica.url(database), log_level: "info", ...flags });
}

test("a replica that is away, falls silent or dies under load costs no request, and is used again when it is back", async () => {
  await primary.createDatabase("loss");
  await until("the replica knows the database", async () => {
    const rows = await replica.query("select from pg_database where datname = 'loss'");
    return rows.length === 1;
  });
  await replica.stop();
  const { server, token, openBeside, stop } = await serveWith("loss");
  const beside = await openBeside();
  let isOver = false;
  const write = async () => {
    for (; !isOver; await Bun.sleep(20)) await beside.addTasks([newTask()]);
  };
  const writing = write();
  const paths = ["/tasks?limit=1", "/tasks?limit=2", "/tasks?limit=3", "/users"];
  const asking = askSteadily({ ask: server.ask, token, paths });
  await Bun.sleep(3_000);
  expect(await untilTold(server, 1)).toEqual([away]);
  await replica.start();
  expect(await untilTold(server, 2)).toEqual([away, near]);
  const used = () => replica.logged().match(/ from "?tasks\b/g)?.length ?? 0;
  expect(used()).toBeGreaterThan(0);
  replica.pause();
  await Bun.sleep(2_000);
  replica.resume();
  expect(await untilTold(server, 4)).toEqual([away, near, away, near]);
  await replica.kill();
  await Bun.sleep(2_000);
  const before = used();
  await replica.start();
  expect(await untilTold(server, 6)).toEqual([away, near, away, near, away, near]);
  expect(used()).toBeGreaterThan(before);
  isOver = true;
  await writing;
  const asked = await asking.stop();
  await beside.database.close();
  expect(await stop()).toBe(0);
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.max(...asked.map(({ took }) => took))).toBeLessThan(1_500);
}, 120_000);

test("what is not a replica of this database is left alone, and that is told once", async () => {
  await primary.createDatabase("another");
  const mistakes = { itself: primary.url("itself"), elsewhere: replica.url("another") };
  const errors: (string | undefined)[][] = [];
  for (const [database, replica_url] of Object.entries(mistakes)) {
    await primary.createDatabase(database);
    const { server, token, stop } = await serveWith(database, { replica_url });
    await Bun.sleep(2_500);
    expect((await server.ask("/tasks", { token })).body.total_count).toBe(20);
    errors.push(news(server).map(({ error }) => error));
    expect(await stop()).toBe(0);
  }
  expect(errors).toEqual([
    [`None of the databases is a replica: 127.0.0.1:${primary.port} is a primary.`],
    ["It is a replica of another database."],
  ]);
}, 60_000);

test("after a failover a replica that still follows the old primary is not used, however far it has come", async () => {
  const first = await startCluster();
  const second = await first.makeReplica();
  const stray = await first.makeReplica();
  await first.createDatabase("holdfast");
  const both = `${first.url("holdfast")}`.replace(/(127\.0\.0\.1:\d+)/, `$1,127.0.0.1:${second.port}`);
  const { server, token, openBeside, stop } = await serveFrom(both, {
    replica_url: stray.url("holdfast"),
    replica_lag: "3600",
    log_level: "info",
  });
  const total = async () => (await server.ask("/tasks", { token })).body?.total_count;
  expect(await untilTold(server, 1)).toEqual([near]);
  await second.stop();
  const lost = await openBeside();
  await lost.addTasks([newTask()]);
  await lost.database.close();
  await first.query("select pg_logical_emit_message(true, 'holdfast', repeat('x', 1000000))");
  await until("the other replica has it", async () => (await total()) === 21);
  await first.kill();
  await second.start();
  await second.promote();
  await until("the service answers again", async () => (await server.ask("/readyz")).status === 200);
  expect(await total()).toBe(20);
  const beside = await openBeside(second.url("holdfast"));
  await beside.addTasks([newTask(), newTask()]);
  expect(await total()).toBe(22);
  await beside.database.close();
  expect(await stop()).toBe(0);
  for (const cluster of [stray, second, first]) await cluster.remove();
}, 120_000);

test("a replica that becomes a primary is no longer read from", async () => {
  await primary.createDatabase("promoted");
  const { server, token, openBeside, stop } = await serveWith("promoted");
  expect(await untilTold(server, 1)).toEqual([near]);
  await replica.promote();
  expect(await untilTold(server, 2)).toEqual([near, away]);
  const beside = await openBeside();
  await beside.addTasks([newTask()]);
  await beside.database.close();
  expect((await server.ask("/tasks", { token })).body.total_count).toBe(21);
  await Bun.sleep(2_500);
  expect(news(server).map(({ error }) => error)).toEqual([undefined, "It is no replica any more."]);
  expect(await stop()).toBe(0);
}, 60_000);
