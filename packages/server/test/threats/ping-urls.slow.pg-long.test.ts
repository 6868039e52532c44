import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { type KyselyPlugin, sql } from "kysely";
import type { Database } from "../../src/database/database";
import { createApp } from "../../src/http/app";
import { auditEvents } from "../access/people";
import { openPingPlane, type PingPlane } from "../monitors/ping-plane";
import { size } from "../runs";

const metricsToken = "metrics-token-of-this-test-0123456789";
let plane: PingPlane;
beforeAll(async () => {
  plane = await openPingPlane({ log_level: "debug", metrics_token: metricsToken });
});
afterAll(() => plane.close());

const tables = ["monitors", "ping_keys", "ping_runs", "tasks", "task_leases", "task_logs", "task_log_pieces"] as const;

/** Number of rows that pings have made. */
async function countRows(): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await plane.database.snapshot((db) =>
      sql<{ count: number }>`select count(*) as count from ${sql.table(table)}`.execute(db),
    );
    counts[table] = Number(rows[0]?.count);
  }
  return counts;
}

test("T32: neither the log, nor metrics, the audit trail or the database have a ping URL or a ping key", async () => {
  const asked = { method: "POST", token: plane.owner, headers: { "Idempotency-Key": "a-key" } };
  const made = await plane.ask("/monitors", { ...asked, body: { name: "Files" } });
  const { id, ping_url } = made.body;
  const first = new URL(ping_url).pathname;
  const rotated = await plane.ask(`/monitors/${id}/rotate`, { ...asked, headers: {}, body: { overlap_seconds: 60 } });
  const second = new URL(rotated.body.ping_url).pathname;
  const { key } = (await plane.ask("/ping-keys", { ...asked, body: { name: "Hosts" }, headers: {} })).body;
  const paths = [first, second, `/ping/${key}/files`];
  for (const path of paths) {
    for (const end of ["", "/start", "/nonsense", "/a/b/c", "/999", "?rid=x", "//"]) {
      const answer = await plane.ping(`${path}${end}`, { method: "POST", body: "what was done\n", peer: randomUUID() });
      expect(answer.text).not.toContain(key);
    }
    for (const prefix of ["//ping/", "/%70ing/", "/PING/", "/x/ping/", "/console/ping/", "/pings/", "/p/", "/"]) {
      await plane.ping(path.replace("/ping/", prefix));
    }
    await plane.ping(path, { method: "DELETE" });
  }
  await plane.ask(`/monitors/${id}`, { method: "PATCH", token: plane.owner, body: { name: "Other" } });
  await plane.service.refusals.flush();
  const names = await plane.database.snapshot((db) => db.introspection.getTables());
  const stored: unknown[] = [];
  for (const { name } of names) {
    stored.push(await plane.database.snapshot((db) => sql`select * from ${sql.table(name)}`.execute(db)));
  }
  const places = {
    log: plane.logged.join(""),
    metrics: (await plane.ask("/metrics", { token: metricsToken })).text,
    audit: JSON.stringify(await auditEvents(plane)),
    database: JSON.stringify(stored),
  };
  expect(places.log).toContain('"/ping/…"');
  expect(places.metrics).toContain('operation="ping"');
  expect(places.audit).toContain("rotate-monitor-url");
  for (const [place, text] of Object.entries(places)) {
    for (const secret of [first, second, `/${key}`].map((path) => path.split("/").at(-1) ?? "")) {
      expect(secret.length).toBeGreaterThan(20);
      expect([place, text.toLowerCase().split(secret.toLowerCase()).length - 1]).toEqual([place, 0]);
    }
  }
});

test("T32: a flood of pings leaves few rows, and one of wrong URLs leaves none", async () => {
  const { id, path } = await plane.addMonitor();
  const before = await countRows();
  const begun = performance.now();
  const count = size({ default: 500, long: 10_000 });
  const statuses = new Map<number, number>();
  for (let sent = 0; sent < count; sent += 50) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => plane.ping(`${path}/fail?rid=${randomUUID()}`, { method: "POST", body: "x" })),
    );
    for (const { status } of answers) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const max = 31 + (performance.now() - begun) / 1000;
  expect([...statuses.keys()].sort()).toEqual([200, 429]);
  expect(statuses.get(200)).toBeLessThanOrEqual(max);
  const after = await countRows();
  for (const table of tables) expect((after[table] ?? 0) - (before[table] ?? 0)).toBeLessThanOrEqual(max);
  expect((await plane.monitor(id)).recent_outcomes.length).toBe(30);

  const refused = new Set<number>();
  for (let sent = 0; sent < count; sent += 50) {
    const wrong = Array.from({ length: 50 }, () => plane.ping(`/ping/${randomUUID()}`, { peer: "192.0.2.99" }));
    for (const { status } of await Promise.all(wrong)) refused.add(status);
  }
  expect([...refused].sort()).toEqual([404, 429]);
  expect(await countRows()).toEqual(after);
});

test("T32: neither the time nor the look-ups of a refusal tell a known key from an unknown one", async () => {
  const key = await plane.addKey();
  const kinds: Record<string, () => string> = {
    uuid: () => `/ping/${randomUUID()}`,
    key: () => `/ping/${randomUUID().replaceAll("-", "").slice(0, 22)}/files`,
    slug: () => `/ping/${key}/nothing-${randomUUID()}`,
  };
  let statements = 0;
  const counter: KyselyPlugin = {
    transformQuery({ node }) {
      statements += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const database: Database = {
    ...plane.database,
    snapshot: (read, options) => plane.database.snapshot((db, at) => read(db.withPlugin(counter), at), options),
  };
  const app = createApp({ ...plane.service, database });
  const times: Record<string, number[]> = { uuid: [], key: [], slug: [] };
  const counts: Record<string, Set<number>> = { uuid: new Set(), key: new Set(), slug: new Set() };
  for (let round = 0; round < 100; round++) {
    for (const [kind, path] of Object.entries(kinds)) {
      statements = 0;
      const begun = performance.now();
      const { status } = await app.request(`http://localhost${path()}`, {}, { peer: randomUUID() });
      times[kind]?.push(performance.now() - begun);
      counts[kind]?.add(statements);
      expect(status).toBe(404);
    }
  }
  expect(counts).toEqual({ uuid: new Set([2]), key: new Set([2]), slug: new Set([2]) });
  const medians = Object.values(times).map((all) => all.sort((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0);
  expect(Math.min(...medians) / Math.max(...medians)).toBeGreaterThan(0.5);
});
