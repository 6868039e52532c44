import { afterAll, beforeAll, expect, test } from "bun:test";
import { appendFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/database/open-database";
import { readSettings } from "../../src/settings/settings";
import { makeFolder } from "../harness";
import { type Cluster, startCluster } from "../postgres-cluster";
import { startProcess } from "../process";
import { until } from "../until";

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
  await cluster.query("create role locked login password 'first'");
  await cluster.query("create database locked owner locked");
  const rules = join(cluster.folder, "data", "pg_hba.conf");
  const others = readFileSync(rules, "utf8");
  writeFileSync(rules, "host all locked 127.0.0.1/32 scram-sha-256\n");
  appendFileSync(rules, others);
  await cluster.query("select pg_reload_conf()");
});
afterAll(() => cluster.remove());

test("the password is taken from a password file, without a word of the driver", async () => {
  const folder = makeFolder();
  const file = join(folder, "passwords");
  writeFileSync(file, `127.0.0.1:${cluster.port}:locked:locked:first\n`, { mode: 0o600 });
  const server = await startProcess({
    folder,
    flags: { database_url: `postgres://locked@127.0.0.1:${cluster.port}/locked` },
    environment: { PGPASSFILE: file },
  });
  expect((await server.ask("/readyz")).status).toBe(200);
  expect(server.printed()).not.toMatch(/deprecat|warning/i);
  expect(await server.stop()).toBe(0);
  rmSync(folder, { recursive: true });
}, 120_000);

test("why the database stays away is told once, and that it is back is no warning", async () => {
  const database_url = `postgres://locked:first@127.0.0.1:${cluster.port}/locked`;
  const settings = readSettings({ flags: { database_url }, environment: {}, file: null });
  const told: unknown[] = [];
  const database = await openDatabase(settings, { isServing: true, notify: (...message) => told.push(message) });
  await cluster.query("alter role locked password 'second'");
  await cluster.query("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'locked'");
  await until("the reason is told", () => told.length >= 2);
  await Bun.sleep(1_000);
  await cluster.query("alter role locked password 'first'");
  await until("it answers again", () => told.length >= 3);
  await database.close();
  expect(told).toEqual([
    [
      "warn",
      "The database is away, so requests are answered with 503 until it is back.",
      { error: expect.any(String) },
    ],
    [
      "warn",
      "The database is still away.",
      { error: 'The database refuses the login. (password authentication failed for user "locked")' },
    ],
    ["info", "The database answers again.", {}],
  ]);
}, 120_000);
