import { afterAll, beforeAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { createApp } from "../../src/http/app";
import { openControlPlane } from "../../src/installation/control-plane";
import { readSettings } from "../../src/settings/settings";
import { createService } from "../../src/start/service";
import { createLog } from "../../src/telemetry/log";
import { makeFolder, readAnswer } from "../harness";
import { parseMetrics } from "../metrics/parse-metrics";
import { type Cluster, startCluster } from "../postgres-cluster";
import { metricsToken } from "../process";
import { control, firstOf, size, timeLimit } from "../runs";
import { until } from "../until";
import { serveFrom } from "./serve-from";
import { type SilentProxy, startSilentProxy } from "./silent-proxy";
import { askSteadily, complaintsAbout } from "./steady-asking";

const lists = ["/tasks?limit=5", "/users?limit=5", "/tasks?limit=3&start=2", "/.well-known/jwks.json"];
const paths = [...lists, ...lists, "/readyz", "/healthz"];
const awayFor = size({ default: 2_500, long: 20_000 });
const refusal = {
  errors: [{ error_code: 50301, error_message: "The database is not available now. Try again in a moment." }],
};
let cluster: Cluster;
let proxy: SilentProxy;

beforeAll(async () => {
  cluster = await startCluster();
  proxy = await startSilentProxy({ host: "127.0.0.1", port: cluster.port });
});

afterAll(async () => {
  proxy.close();
  await cluster.remove();
});

const direct = () => cluster.createDatabase();
const throughProxy = async () => (await direct()).replace(`:${cluster.port}/`, `:${proxy.port}/`);

interface Way {
  url: () => Promise<string>;
  leave: () => Promise<void> | void;
  comeBack: () => Promise<void> | void;
}

/** First the one in which nothing is refused. */
const ways: [string, Way][] = [
  ["stands still", { url: direct, leave: () => cluster.pause(), comeBack: () => cluster.resume() }],
  ["is shut down", { url: direct, leave: () => cluster.stop(), comeBack: () => cluster.start() }],
  ["is out of reach", { url: throughProxy, leave: () => proxy.fallSilent(), comeBack: () => proxy.speak() }],
];

test.each(firstOf(1, ways))(
  "R8: while the database %s, all who ask are told so in time, and it goes on by itself",
  async (_, way) => {
    const { server, token, stop } = await serveFrom(await way.url());
    const asking = askSteadily({ ask: server.ask, token, paths });
    await asking.untilWell(performance.now());
    const from = performance.now();
    await way.leave();
    await Bun.sleep(awayFor);
    const [healthz, readyz, list] = await Promise.all(
      ["/healthz", "/readyz", "/tasks?limit=5"].map((path) => server.ask(path, { token })),
    );
    const until = performance.now();
    await way.comeBack();
    const back = performance.now();
    const recovery = await asking.untilWell(back);
    await Bun.sleep(300);
    const asked = await asking.stop();

    expect([healthz?.status, readyz?.status, list?.status]).toEqual([200, 503, 503]);
    expect([readyz?.body, list?.body]).toEqual([refusal, refusal]);
    expect(complaintsAbout(asked, { from, until })).toEqual([]);
    // Requests that were answered later may have found the database back.
    const settled = asked.filter(({ startedAt, took }) => startedAt > from + 1_000 && startedAt + took < until);
    expect(new Set(settled.filter(({ path }) => path !== "/healthz").map(({ status }) => status))).toEqual(
      new Set([503]),
    );
    expect(recovery).toBeLessThan(timeLimit(2_000));
    expect(asked.slice(-paths.length).map(({ status }) => status)).toEqual(paths.map(() => 200));
    // The very process that was there before: one that had crashed would not be ended by us.
    expect(await stop()).toBe(0);
  },
  120_000,
);

test("R8: connections that have silently died under a service that is otherwise well are not waited for without end", async () => {
  const url = await throughProxy();
  const { server, token, stop } = await serveFrom(url, { database_timeout: "1" });
  const all = () => Promise.all(lists.map((path) => server.ask(path, { token })));
  expect((await all()).map(({ status }) => status)).toEqual(lists.map(() => 200));
  proxy.forgetAllButOldest();
  // So that nobody answers from memory.
  await cluster.query("update api_tokens set name = name", new URL(url).pathname.slice(1));
  const startedAt = performance.now();
  const statuses = (await all()).map(({ status }) => status);
  expect(performance.now() - startedAt).toBeLessThan(timeLimit(4_000));
  expect(statuses.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  expect(statuses).toContain(503);
  // Each dead connection costs one request at most. There may be more of them than there were requests.
  let after: number[] = [];
  for (let round = 0; round < 4 && after.filter((status) => status === 200).length < lists.length; round++) {
    await Bun.sleep(2_000);
    after = (await all()).map(({ status }) => status);
  }
  expect(after).toEqual(lists.map(() => 200));
  proxy.speak();
  expect(await stop()).toBe(0);
}, 120_000);

test.each(firstOf(1, ways))(
  "R8: while the database %s, metrics are still shown, without what is read from it",
  async (_, { leave, comeBack }) => {
    const { server, stop } = await serveFrom(await direct());
    const look = async () => {
      const startedAt = performance.now();
      const { status, text } = await server.ask("/metrics", { token: metricsToken });
      expect([status, performance.now() - startedAt < timeLimit(3_000)]).toEqual([200, true]);
      const scraped = parseMetrics(text);
      const names = ["holdfast_database_up", 'holdfast_tasks_open{status="queued"}', "holdfast_leases_lost_total"];
      return [...names.map((name) => scraped.get(name)), scraped.has("holdfast_database_size_bytes")];
    };
    const whole = [1, 0, 0, true];
    expect(await look()).toEqual(whole);
    await leave();
    expect(await look()).toEqual([0, undefined, 0, false]);
    await comeBack();
    await until("the database answers", async () => Bun.deepEquals(await look(), whole));
    expect(await stop()).toBe(0);
  },
  120_000,
);

test("R8: a service is stopped in good time while the database stands still", async () => {
  const { stop } = await serveFrom(await direct());
  cluster.pause();
  const startedAt = performance.now();
  const exitCode = await stop();
  const took = performance.now() - startedAt;
  cluster.resume();
  expect(exitCode).toBe(0);
  expect(took).toBeLessThan(timeLimit(5_000));
}, 120_000);

control(
  "R8: the control: where a silent database is waited for, the same complaints are heard",
  async () => {
    const folder = makeFolder();
    const flags = { database_url: await direct(), data_dir: folder };
    const settings = readSettings({ flags, environment: {}, file: null });
    const controlPlane = await openControlPlane(settings, Date.now(), { isServing: false, notify: () => {} });
    const log = createLog({ level: "silent", output: { write: () => {}, isTerminal: false }, clock: Date.now });
    const baseUrl = "http://localhost";
    const app = createApp(createService({ settings, controlPlane, baseUrl, log }));
    const ask = async (path: string) => readAnswer(await app.request(`${baseUrl}${path}`));
    const asking = askSteadily({ ask, token: "", paths: ["/readyz", "/.well-known/jwks.json"] });
    await asking.untilWell(performance.now());
    const from = performance.now();
    cluster.pause();
    await Bun.sleep(2_500);
    const until = performance.now();
    cluster.resume();
    await asking.untilWell(until);
    const complaints = complaintsAbout(await asking.stop(), { from: from - 100, until });
    await controlPlane.database.close();
    rmSync(folder, { recursive: true });
    expect(complaints).toContainEqual(expect.stringMatching(/^\/readyz took 2\d\d\d ms$/));
  },
  120_000,
);
