import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { DatabaseUnavailable } from "../../src/database/errors";
import { createApp } from "../../src/http/app";
import { forgetLeases } from "../../src/resources/tasks/leases/lease-store";
import { codesOf } from "../conformance/codes-of";
import { readAnswer } from "../harness";
import { type MadeMonitor, openPingPlane, type PingPlane } from "./ping-plane";

let plane: PingPlane;
let key: string;
let provisioning: string;
beforeAll(async () => {
  plane = await openPingPlane();
  key = await plane.addKey();
  provisioning = await plane.addKey({ may_create: true, type: "restic_backup", default_period_seconds: 7_200 });
});
afterAll(() => plane.close());

/** From an address of its own, because misses are counted by address. */
let addresses = 0;
const elsewhere = () => `2001:db8::${(++addresses).toString(16)}`;

const ways: [string, (monitor: MadeMonitor) => string][] = [
  ["its own URL", ({ path }) => path],
  ["its own URL in capital letters", ({ path }) => path.replace(/[^/]+$/, (uuid) => uuid.toUpperCase())],
  ["a ping key and its slug", ({ slug }) => `/ping/${key}/${slug}`],
];
const signals = ["", "/start", "/fail", "/log", "/0", "/3", "/255"];

describe.each(ways)("a ping to %s", (_, pathOf) => {
  test.each(signals)("with %p at its end is answered with OK, by every method", async (signal) => {
    const monitor = await plane.addMonitor();
    const ends = ["", "/", `/?colour=red&colour=blue&rid=${randomUUID().toUpperCase()}`];
    for (const [index, method] of ["GET", "HEAD", "POST"].entries()) {
      const answer = await plane.ping(`${pathOf(monitor)}${signal}${ends[index]}`, { method });
      expect([answer.status, answer.text]).toEqual([200, method === "HEAD" ? "" : "OK"]);
      expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
      expect(answer.headers.get("access-control-allow-origin")).toBe("*");
      expect(answer.headers.get("ping-body-limit")).toBe("100000");
      expect(answer.headers.get("cache-control")).toBe("no-store");
    }
  });

  test("takes no account of a token", async () => {
    const monitor = await plane.addMonitor();
    const headers = { Authorization: "Bearer nonsense", Accept: "text/html", "Content-Type": "application/xml" };
    expect((await plane.ping(pathOf(monitor), { method: "POST", body: "<a/>", headers })).status).toBe(200);
  });

  test.each([
    ["/256", 40013],
    ["/99999999999999999999", 40013],
    ["?rid=1", 40003],
    ["?rid=", 40003],
    ["?rid=0123456789abcdef0123456789abcdef", 40003],
  ])("with %s is refused", async (end, code) => {
    const monitor = await plane.addMonitor();
    const answer = await plane.ping(`${pathOf(monitor)}${end}`);
    expect([answer.status, codesOf(answer)]).toEqual([400, [code]]);
    expect(await plane.runs(monitor.id)).toEqual([]);
  });

  test.each(["PUT", "DELETE", "PATCH"])("by %s is refused", async (method) => {
    const answer = await plane.ping(pathOf(await plane.addMonitor()), { method });
    expect([answer.status, codesOf(answer), answer.headers.get("allow")]).toEqual([
      405,
      [40501],
      "GET, HEAD, POST, OPTIONS",
    ]);
  });

  test("by OPTIONS tells the methods", async () => {
    const answer = await plane.ping(pathOf(await plane.addMonitor()), { method: "OPTIONS" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  });

  test("31 times at once is too often, and the monitor beside it does not notice", async () => {
    const monitor = await plane.addMonitor();
    const answers = await Promise.all(
      Array.from({ length: 31 }, () => plane.ping(`${pathOf(monitor)}?rid=${randomUUID()}`)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(30).fill(200), 429]);
    const refused = answers.find(({ status }) => status === 429);
    expect([refused?.body.errors[0].error_code, refused?.headers.get("retry-after")]).toEqual([42901, "1"]);
    expect((await plane.ping(pathOf(await plane.addMonitor()))).status).toBe(200);
    expect((await plane.runs(monitor.id)).length).toBe(30);
  });
});

test("T32: whatever is not there is answered alike", async () => {
  const { slug } = await plane.addMonitor();
  const other = await plane.addMonitor({}, await plane.addUnit("Elsewhere"));
  const gone = await plane.addMonitor();
  await plane.ask(`/monitors/${gone.id}`, { method: "DELETE", token: plane.owner });
  const missing = [
    `/ping/${randomUUID()}`,
    gone.path,
    `/ping/${randomUUID()}/start`,
    `/ping/${randomUUID()}/nonsense`,
    `/ping/${key}/nothing`,
    `/ping/${key}/nothing?create=1`,
    `/ping/${provisioning}/nothing`,
    `/ping/${provisioning}/nothing?create=0`,
    `/ping/${key}/${other.slug}`,
    `/ping/${"A".repeat(22)}/${slug}`,
    `/ping/${"A".repeat(22)}/${slug}?create=1`,
    `/ping/${"A".repeat(21)}/${slug}`,
    `/ping/${slug}`,
    `/ping/${key}`,
    "/ping/%00",
    "/ping/x/y/z",
  ];
  const answers = await Promise.all(missing.map((path) => plane.ping(path, { peer: elsewhere() })));
  const told = answers.map(({ status, text, headers }) => [status, text, headers.get("content-type")]);
  expect(new Set(told.map((one) => JSON.stringify(one))).size).toBe(1);
  for (const answer of answers) expect([answer.status, codesOf(answer)]).toEqual([404, [40402]]);
});

test.each(["Backup", "a.b", "ä", "%20", "a".repeat(101)])("a slug such as %s is refused", async (slug) => {
  const answer = await plane.ping(`/ping/${key}/${slug}?create=1`, { peer: elsewhere() });
  expect([answer.status, codesOf(answer)]).toEqual([400, [40013]]);
});

test("T32: 20 misses a minute from one address are answered, and one more is refused, but for what is right", async () => {
  const peer = elsewhere();
  const [monitor, another] = [await plane.addMonitor(), await plane.addMonitor()];
  const bySlug = ({ slug }: { slug: string }) => `/ping/${key}/${slug}`;
  expect((await plane.ping(bySlug(monitor), { peer })).status).toBe(200);
  const statuses = [];
  for (let miss = 0; miss < 22; miss++) statuses.push((await plane.ping(`/ping/${randomUUID()}`, { peer })).status);
  expect(statuses).toEqual([...Array<number>(20).fill(404), 429, 429]);
  const refused = await plane.ping(bySlug(another), { peer });
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "3"]);
  expect((await plane.ping(bySlug(monitor), { peer })).status).toBe(200);
  expect((await plane.ping(bySlug(another), { peer: elsewhere() })).status).toBe(200);
  // A URL that this process has not seen yet, as after a restart.
  expect((await plane.ping((await plane.addMonitor()).path, { peer })).status).toBe(200);
});

test("T32: an address that cannot lead to a monitor is a miss as well", async () => {
  const peer = elsewhere();
  const { path } = await plane.addMonitor();
  const wrong = [`${path}/nonsense`, "/ping/nonsense", "/ping/nonsense/slug", `/ping/${key}`];
  const statuses = [];
  for (let miss = 0; miss < 22; miss++) statuses.push((await plane.ping(wrong[miss % 4] ?? "", { peer })).status);
  expect(statuses).toEqual([...Array<number>(20).fill(404), 429, 429]);
});

test("create=1 makes a monitor once, with what its key says, and the ping counts", async () => {
  const path = `/ping/${provisioning}/web-1/start?create=1`;
  const first = await plane.ping(path);
  expect([first.status, first.text, first.headers.get("content-type")]).toEqual([
    201,
    "Created",
    "text/plain; charset=utf-8",
  ]);
  const again = await plane.ping(`/ping/${provisioning}/web-1?create=1`);
  expect([again.status, again.text]).toEqual([200, "OK"]);
  const filter = encodeURIComponent('{"slug":"web-1"}');
  const [monitor] = (await plane.ask(`/monitors?filter=${filter}`, { token: plane.owner })).body._embedded.items;
  expect(monitor).toMatchObject({
    name: "web-1",
    category: "backup",
    type: "restic_backup",
    schedule: { period_seconds: 7_200 },
    state: "ok",
  });
  expect(await plane.runs(monitor.id)).toMatchObject([{ status: "completed", type: "restic_backup" }]);
});

test("create=1 does not go beyond what a unit can have", async () => {
  const unit = await plane.addUnit("Full");
  const full = await plane.addKey({ may_create: true }, unit);
  const { id } = await plane.addMonitor({}, unit);
  await plane.database.change(async (db) => {
    const { seq: _, ...row } = await db
      .selectFrom("monitors")
      .selectAll()
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    for (let from = 1; from < 5_000; from += 20) {
      const rows = Array.from({ length: Math.min(20, 5_000 - from) }, (_, index) => ({
        ...row,
        id: randomUUID(),
        slug: `s-${from + index}`,
        url_hash: randomUUID(),
      }));
      await db.insertInto("monitors").values(rows).execute();
    }
  });
  const answer = await plane.ping(`/ping/${full}/one-more?create=1`, { peer: elsewhere() });
  expect([answer.status, codesOf(answer)]).toEqual([409, [40907]]);
  const asked = { method: "POST", token: plane.owner, unit, body: { name: "One more" } };
  expect((await plane.ask("/monitors", asked)).body.errors[0].error_code).toBe(40907);
});

test("while the database is away a ping is asked to come again", async () => {
  const monitor = await plane.addMonitor();
  const away = () => Promise.reject(new DatabaseUnavailable("The database is away."));
  for (const broken of [{ snapshot: away }, { change: away }]) {
    const app = createApp({ ...plane.service, database: { ...plane.database, ...broken } });
    const answer = await readAnswer(await app.request(`http://localhost${monitor.path}`, {}, { peer: elsewhere() }));
    expect([answer.status, codesOf(answer), answer.headers.get("retry-after")]).toEqual([503, [50301], "1"]);
  }
  expect(await plane.runs(monitor.id)).toEqual([]);
});

test("what is known of the runs of pings goes with their leases", async () => {
  const [ended, open] = [await plane.addMonitor(), await plane.addMonitor()];
  await plane.follow(ended, [""]);
  await plane.follow(open, ["/start"]);
  await plane.database.change((db) => forgetLeases(db, plane.clock.now + 1));
  const rows = await plane.database.snapshot((db) => db.selectFrom("ping_runs").select("monitor_id").execute());
  const known = rows.map(({ monitor_id }) => monitor_id);
  expect([known.includes(ended.id), known.includes(open.id)]).toEqual([false, true]);
});

test("a rotated URL is good for as long as the overlap", async () => {
  const monitor = await plane.addMonitor();
  const rotate = (overlap_seconds: number) =>
    plane.ask(`/monitors/${monitor.id}/rotate`, { method: "POST", token: plane.owner, body: { overlap_seconds } });
  const second = new URL((await rotate(60)).body.ping_url).pathname;
  expect(second).not.toBe(monitor.path);
  const statuses = async () => [
    (await plane.ping(monitor.path, { peer: elsewhere() })).status,
    (await plane.ping(second, { peer: elsewhere() })).status,
  ];
  expect(await statuses()).toEqual([200, 200]);
  plane.clock.now += 60_000;
  expect(await statuses()).toEqual([404, 200]);
  await rotate(0);
  expect(await statuses()).toEqual([404, 404]);
});
