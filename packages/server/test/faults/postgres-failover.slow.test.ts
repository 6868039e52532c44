import { afterEach, expect, test } from "bun:test";
import { openDatabase } from "../../src/database/open-database";
import { readSettings } from "../../src/settings/settings";
import { type Cluster, startCluster } from "../postgres-cluster";
import { timeLimit, variation } from "../runs";
import { until } from "../until";
import { inspectPostgres, recallPostgres, sound } from "./inspect-postgres";
import { serveFrom } from "./serve-from";
import { askSteadily, complaintsAbout } from "./steady-asking";
import { startWriter } from "./writer";

const paths = ["/tasks?limit=5", "/tasks?limit=3&start=2", "/users", "/readyz", "/healthz"];
const database = "holdfast";
const clusters: Cluster[] = [];

afterEach(async () => {
  for (const cluster of clusters.splice(0)) await cluster.remove();
});

/** A primary with a replica, and one address that names both. */
async function startPair() {
  const primary = await startCluster();
  clusters.push(primary);
  await primary.createDatabase(database);
  const replica = await primary.makeReplica();
  clusters.push(replica);
  const url = `postgres://holdfast@127.0.0.1:${primary.port},127.0.0.1:${replica.port}/${database}`;
  return { primary, replica, url };
}

async function setOn(cluster: Cluster, setting: string): Promise<void> {
  await cluster.query(`alter system set ${setting}`);
  await cluster.query("select pg_reload_conf()");
}

test("R6, R8: when the primary dies and its replica is promoted, the service goes on with it and nothing acknowledged is lost", async () => {
  const { primary, replica, url } = await startPair();
  const { server, token, openBeside, stop } = await serveFrom(url);
  // Only now, so that the replica does not wait for one of its own when it is the primary.
  await setOn(primary, "synchronous_standby_names = '*'");
  const beside = await openBeside();
  const asking = askSteadily({ ask: server.ask, token, paths });
  const memory = await recallPostgres(server.folder, primary.url(database));
  const writer = startWriter({ folder: server.folder, seed: 1, url });
  await writer.reached(40);
  const from = performance.now();
  await primary.kill();
  const told = await writer.ended();
  await Bun.sleep(500);
  const until = performance.now();
  await replica.promote();
  const recovery = await asking.untilWell(performance.now());

  const place = { folder: server.folder, url: replica.url(database) };
  const { findings, memory: left } = await inspectPostgres(place, memory, told);
  expect(findings).toEqual(sound);
  // The control: one more that was acknowledged and is not there would be missed.
  const lost = { steps: [...told.steps, { kind: "mint", name: "lost" } as const], acknowledged: told.steps.length + 1 };
  expect((await inspectPostgres(place, memory, lost)).findings.astray).toContain(
    "tokens lost: undefined instead of false",
  );
  expect(told.acknowledged).toBeGreaterThan(30);
  expect(recovery).toBeLessThan(timeLimit(2_000));
  expect(complaintsAbout(await asking.stop(), { from, until })).toEqual([]);
  await beside.addTasks([{ id: "after the failover" }]);
  await beside.database.close();
  const { status, body } = await server.ask("/tasks?limit=1", { token });
  expect([status, body.total_count]).toEqual([200, left.tasks.size + 1]);
  expect(await stop()).toBe(0);
}, 120_000);

variation(
  "R8: a primary that can only be read any more is left for the one that can be written to",
  async () => {
    const { primary, replica, url } = await startPair();
    const { server, token, openBeside, stop } = await serveFrom(url);
    const total = async () => (await server.ask("/tasks?limit=1", { token })).body.total_count;
    const before = await total();
    await replica.promote();
    const elsewhere = await openBeside(replica.url(database));
    await elsewhere.addTasks([{ id: "on the new primary" }]);
    await elsewhere.database.close();
    // Nobody has told the old one yet: it counts as the primary, and is first in the address.
    expect(await total()).toBe(before);
    const asking = askSteadily({ ask: server.ask, token, paths });
    const from = performance.now();
    await setOn(primary, "default_transaction_read_only = on");
    const turned = performance.now();
    await asking.untilWell(turned + 500);
    expect(await total()).toBe(before + 1);
    const beside = await openBeside();
    await beside.addTasks([{ id: "through both addresses" }]);
    await beside.database.close();
    expect(await total()).toBe(before + 2);
    expect(complaintsAbout(await asking.stop(), { from, until: performance.now() })).toEqual([]);
    const old = await primary.query(
      "select count(*)::int as open from pg_stat_activity where application_name = 'holdfast'",
    );
    expect(old).toEqual([{ open: 0 }]);
    expect(await stop()).toBe(0);
  },
  120_000,
);

variation(
  "R8: of two that can be written to, the one that was promoted is used, and the old one not even when that one is away",
  async () => {
    const { primary, replica, url } = await startPair();
    const settings = readSettings({ flags: { database_url: url }, environment: {}, file: null });
    const told: unknown[] = [];
    await (await openDatabase(settings, { isServing: false, notify: () => {} })).close();
    await until("the replica has the tables", async () => {
      const rows = await replica.query("select from pg_class where relname = 'installation'", database);
      return rows.length === 1;
    });
    await replica.promote();
    const opened = await openDatabase(settings, { isServing: true, notify: (...message) => told.push(message) });
    const write = () =>
      opened.change((db) => db.updateTable("organizational_units").set({ name: "written" }).execute());
    await write();
    const writers = "select count(*)::int as count from pg_stat_activity where application_name = 'holdfast'";
    expect(await primary.query(writers)).toEqual([{ count: 0 }]);
    await replica.stop("immediate");
    await until("it is told why", () => told.length >= 3);
    await expect(write()).rejects.toThrow("The database does not answer.");
    await replica.start();
    await until("it answers again", () => told.length >= 4);
    await write();
    await opened.close();
    const chosen = { detail: `127.0.0.1:${replica.port}` };
    expect([told.at(0), told.at(-1)]).toEqual([
      ["info", "The primary was found.", chosen],
      ["info", "The database answers again.", chosen],
    ]);
    expect(told).toContainEqual([
      "warn",
      "The database is still away.",
      {
        error: `127.0.0.1:${primary.port} can be written to, but another one was promoted after it. Start that one, or restart Holdfast to continue with this one.`,
      },
    ]);
  },
  120_000,
);
