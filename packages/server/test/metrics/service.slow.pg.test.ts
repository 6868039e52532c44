import { afterAll, expect, test } from "bun:test";
import { sql } from "kysely";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { updateAccount } from "../../src/sign-in/accounts";
import { createPasswords } from "../../src/sign-in/password";
import { allMetrics } from "../../src/telemetry/metric-declarations";
import { forbidEvents } from "../access/forbid-events";
import { addPerson, password, trySignIn } from "../access/people";
import { openPlane } from "../harness";
import { timeLimit } from "../runs";
import { testsOnPostgres } from "../test-database";
import { parseMetrics } from "./parse-metrics";
import { movedBy, openMetrics, scrape } from "./scrape";

const provider = {
  oidc_issuer: "https://id.example.org",
  oidc_client_id: "us",
  oidc_client_secret: "a secret of ours",
};
const plane = await openPlane({ ...openMetrics, ...provider });
plane.service.passwords = createPasswords({ memoryCost: 8, timeCost: 1 });
afterAll(plane.close);
const kind = testsOnPostgres() ? "PostgreSQL" : "SQLite";
const { token } = await plane.serviceToken("owner");

/** Metrics that are shown only elsewhere: with a token, by a service that listens, or on the other database. */
const notHere = {
  PostgreSQL: [
    "holdfast_info",
    "holdfast_monitor_seconds_since_success",
    "holdfast_database_backup_timestamp_seconds",
    "holdfast_audit_anchor_ok",
  ],
  SQLite: ["holdfast_info", "holdfast_monitor_seconds_since_success", "holdfast_audit_anchor_ok"],
}[kind];

test("every other declared metric is shown, and nothing that is not declared", async () => {
  await plane.ask("/nothing");
  // So that a connection was waited for.
  await plane.database.snapshot(async () => {});
  const { text } = await plane.ask("/metrics");
  parseMetrics(text);
  const shown = Array.from(text.matchAll(/^# TYPE (\w+)/gm), ([, name]) => name);
  expect(shown).toEqual([...allMetrics.keys()].filter((name) => !notHere.includes(name)));
});

test.each([
  ["holdfast_leases_lost_total 1\n", "Not the HELP of a metric: holdfast_leases_lost_total 1"],
  ["# HELP x Y.\n# TYPE x counter\nx 1\n", "x is not declared."],
  [
    "# HELP holdfast_streams_open Y.\n# TYPE holdfast_streams_open gauge\nholdfast_streams_open 1\n",
    "declared otherwise",
  ],
])("the parser of these tests finds what is wrong: %p", (text, complaint) => {
  expect(() => parseMetrics(text)).toThrow(complaint);
});

test("the parser of these tests finds a label, a number and a sum that are wrong", async () => {
  const { text } = await plane.ask("/metrics");
  for (const [right, wrong] of [
    ['way="openid"', 'way="carrier pigeon"'],
    ["holdfast_streams_open 0", "holdfast_streams_open none"],
    ['holdfast_change_wait_seconds_bucket{le="5"} ', 'holdfast_change_wait_seconds_bucket{le="5"} 9'],
    ["holdfast_change_wait_seconds_sum", "holdfast_change_wait_seconds_total"],
    ["# TYPE holdfast_streams_open gauge\n", ""],
  ] as const) {
    const broken = text.replace(right, wrong);
    expect([right, broken === text]).toEqual([right, false]);
    expect(() => parseMetrics(broken)).toThrow();
  }
});

test("refused sign-ins are counted by way and cause", async () => {
  const refused = (cause: string, way = "password") => `holdfast_sign_ins_refused_total{way="${way}",cause="${cause}"}`;
  await addPerson(plane, { email: "maria@example.org" });
  const guarded = await addPerson(plane, { email: "guarded@example.org" });
  await plane.database.change((db) => updateAccount(db, guarded, { totp_confirmed_at: 1 }));
  await addPerson(plane, { email: "outside@example.org", roles: [] });
  const attempt =
    (email: string, typed = password) =>
    () =>
      trySignIn(plane, { email, password: typed });
  const moved = (act: () => Promise<unknown>) => movedBy(plane, act);
  expect(await moved(attempt("maria@example.org"))).toEqual({});
  expect(await moved(attempt("maria@example.org", "wrong"))).toEqual({ [refused("wrong_credentials")]: 1 });
  expect(await moved(attempt("guarded@example.org"))).toEqual({ [refused("code_missing")]: 1 });
  expect(await moved(attempt("outside@example.org"))).toEqual({ [refused("no_access")]: 1 });
  const flood = async () => {
    for (let index = 0; index < 7; index++) await trySignIn(plane, { email: "nobody@example.org", password: "wrong" });
  };
  expect(await moved(flood)).toEqual({ [refused("wrong_credentials")]: 5, [refused("too_many_attempts")]: 2 });
  expect(await moved(() => plane.ask("/sign-in/oidc/callback?code=x&state=y"))).toEqual({
    [refused("wrong_credentials", "openid")]: 1,
  });
});

test("what the caches had, and what it had to read, is counted", async () => {
  const made = await plane.serviceToken("viewer");
  const use = async (act: () => Promise<unknown>) => {
    const before = await scrape(plane);
    await act();
    const after = await scrape(plane);
    return (cache: string) =>
      ["hit", "miss"].map((result) => {
        const key = `holdfast_cache_requests_total{cache="${cache}",result="${result}"}`;
        return (after.get(key) ?? 0) - (before.get(key) ?? 0);
      });
  };
  const filter = encodeURIComponent('{"primary_entity.value":{"$contains":"a"}}');
  const list = () => plane.ask(`/tasks?limit=2&filter=${filter}`, { token: made.token });
  const first = await use(list);
  expect(["callers", "rights", "bodies", "task_counts"].map(first)).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  const again = await use(list);
  expect(["callers", "rights", "bodies", "task_counts"].map(again)).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
    [0, 0],
  ]);
  await plane.database.change((db) => revokeToken(db, made.id, plane.clock.now));
  expect((await use(list))("callers")).toEqual([0, 1]);
});

test("a change that waits for its turn is counted with the time that it waited", async () => {
  const before = await scrape(plane);
  const done: string[] = [];
  const begun = Promise.withResolvers<void>();
  const slow = plane.database.change(async () => {
    begun.resolve();
    await Bun.sleep(120);
    done.push("first");
  });
  await begun.promise;
  await plane.database.change(async () => {
    done.push("second");
  });
  await slow;
  const after = await scrape(plane);
  const grown = (key: string) => (after.get(key) ?? 0) - (before.get(key) ?? 0);
  expect(done).toEqual(["first", "second"]);
  // The service may have noted the use of a token meanwhile, which is a change, too.
  expect(grown("holdfast_change_wait_seconds_count")).toBeGreaterThanOrEqual(2);
  expect(grown("holdfast_change_wait_seconds_sum")).toBeGreaterThan(0.08);
  expect(grown("holdfast_change_wait_seconds_sum")).toBeLessThan(timeLimit(2));
});

test("connections are in use while something is read, and metrics do not wait long for them", async () => {
  const pool = { PostgreSQL: "primary", SQLite: "reader" }[kind];
  const inUse = `holdfast_database_connections{pool="${pool}",state="in_use"}`;
  const waits = `holdfast_database_connection_wait_seconds_count{pool="${pool}"}`;
  const before = await scrape(plane);
  const reading = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const held = plane.database.snapshot(async (db) => {
    await sql`select 1`.execute(db);
    begun.resolve();
    await reading.promise;
  });
  await begun.promise;
  const startedAt = performance.now();
  const meanwhile = await scrape(plane);
  expect(performance.now() - startedAt).toBeLessThan(timeLimit(2_500));
  reading.resolve();
  await held;
  expect(meanwhile.get(inUse)).toBeGreaterThan(0);
  expect((meanwhile.get(waits) ?? 0) - (before.get(waits) ?? 0)).toBeGreaterThan(0);
  expect(meanwhile.get("holdfast_database_up")).toBe(1);
});

test("a change that the database does not take is counted by its cause, one that a rule refuses is not", async () => {
  const allow = await forbidEvents(plane, "metrics-role");
  const make = (name: string) => () =>
    plane.ask("/roles", { token, method: "POST", body: { name, permissions: ["tasks:read"] } });
  expect(await movedBy(plane, make("metrics-role"))).toEqual({
    'holdfast_write_failures_total{cause="audit_unwritable"}': 1,
  });
  await allow();
  expect(await movedBy(plane, make("metrics-role"))).toEqual({});
  expect(await movedBy(plane, make("metrics-role"))).toEqual({});
});

test("the database has a size, a log and room", async () => {
  const scraped = await scrape(plane);
  for (const name of ["database_size_bytes", "database_wal_size_bytes", "data_directory_free_bytes"]) {
    expect([name, scraped.get(`holdfast_${name}`)]).toEqual([name, expect.any(Number)]);
    expect(scraped.get(`holdfast_${name}`)).toBeGreaterThan(10_000);
  }
  expect(scraped.get("holdfast_database_backup_timestamp_seconds")).toBe({ PostgreSQL: undefined, SQLite: 0 }[kind]);
});
