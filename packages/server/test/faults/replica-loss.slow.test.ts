import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Cluster, startCluster } from "../postgres-cluster";
import { patiently, size } from "../runs";
import { away, near, newTask, untilTold } from "./replica-news";
import { until } from "./replicated-planes";
import { serveFrom } from "./serve-from";
import { askSteadily } from "./steady-asking";

let primary: Cluster;
let replica: Cluster;
beforeAll(async () => {
  primary = await startCluster();
  replica = await primary.makeReplica({ log_statement: "all" });
}, 120_000);
afterAll(async () => {
  await replica.remove();
  await primary.remove();
});

test("a replica that is away, falls silent or dies under load costs no request, and is used again when it is back", async () => {
  await primary.createDatabase("loss");
  await until("the replica knows the database", async () => {
    const rows = await replica.query("select from pg_database where datname = 'loss'");
    return rows.length === 1;
  });
  await replica.stop();
  const { server, token, openBeside, stop } = await serveFrom(primary.url("loss"), {
    replica_url: replica.url("loss"),
    log_level: "info",
  });
  const beside = await openBeside();
  let isOver = false;
  const write = async () => {
    for (; !isOver; await Bun.sleep(size({ usual: 100, long: 20 }))) await beside.addTasks([newTask()]);
  };
  const writing = write();
  const paths = ["/tasks?limit=1", "/tasks?limit=2", "/tasks?limit=3", "/users"];
  const asking = askSteadily({ ask: server.ask, token, paths, pause: size({ usual: 100, long: 10 }) });
  await Bun.sleep(1_500);
  expect(await untilTold(server, 1)).toEqual([away]);
  await replica.start();
  expect(await untilTold(server, 2)).toEqual([away, near]);
  const used = () => replica.logged().match(/ from "?tasks\b/g)?.length ?? 0;
  await until("lists are read from it", () => used() > 0);
  replica.pause();
  expect(await untilTold(server, 3)).toEqual([away, near, away]);
  replica.resume();
  expect(await untilTold(server, 4)).toEqual([away, near, away, near]);
  await replica.kill();
  expect(await untilTold(server, 5)).toEqual([away, near, away, near, away]);
  const before = used();
  await replica.start();
  expect(await untilTold(server, 6)).toEqual([away, near, away, near, away, near]);
  await until("lists are read from it again", () => used() > before);
  isOver = true;
  await writing;
  const asked = await asking.stop();
  await beside.database.close();
  expect(await stop()).toBe(0);
  expect(asked.length).toBeGreaterThan(50);
  expect(asked.filter(({ status }) => status !== 200)).toEqual([]);
  expect(Math.max(...asked.map(({ took }) => took))).toBeLessThan(patiently(1_500));
}, 120_000);
