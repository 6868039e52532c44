import { afterAll, beforeAll, expect, test } from "bun:test";
import type { RawSettings } from "../../src/settings/settings";
import { type Cluster, startCluster } from "../postgres-cluster";
import { variation } from "../runs";
import { away, near, news, newTask, untilTold } from "./replica-news";
import { until } from "./replicated-planes";
import { type ServedDatabase, serveFrom } from "./serve-from";

let primary: Cluster;
let replica: Cluster;
beforeAll(async () => {
  primary = await startCluster();
  replica = await primary.makeReplica();
}, 120_000);
afterAll(async () => {
  await replica.remove();
  await primary.remove();
});

/** Serves from a new database on the primary, with a replica. */
function serveWith(database: string, flags: RawSettings = {}): Promise<ServedDatabase> {
  return serveFrom(primary.url(database), { replica_url: replica.url(database), log_level: "info", ...flags });
}

test("what is not a replica of this database is left alone, and that is told once", async () => {
  await primary.createDatabase("another");
  const mistakes = { itself: primary.url("itself"), elsewhere: replica.url("another") };
  const serveWrongly = async ([database, replica_url]: [string, string]) => {
    await primary.createDatabase(database);
    const { server, token, stop } = await serveWith(database, { replica_url });
    await untilTold(server, 1);
    await Bun.sleep(2_500);
    expect((await server.ask("/tasks", { token })).body.total_count).toBe(20);
    const errors = news(server).map(({ error }) => error);
    expect(await stop()).toBe(0);
    return errors;
  };
  const errors = await Promise.all(Object.entries(mistakes).map(serveWrongly));
  expect(errors).toEqual([
    [`None of the databases is a replica: 127.0.0.1:${primary.port} is a primary.`],
    ["It is a replica of another database."],
  ]);
}, 120_000);

variation(
  "after a failover a replica that still follows the old primary is not used, however far it has come",
  async () => {
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
  },
  120_000,
);

variation(
  "a replica that becomes a primary is no longer read from",
  async () => {
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
  },
  120_000,
);
