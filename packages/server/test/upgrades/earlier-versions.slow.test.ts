import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { resolve } from "node:path";
import { verifyChain } from "../../src/audit/verify-chain";
import { openDatabase } from "../../src/database/open-database";
import { readSettings } from "../../src/settings/settings";
import { findFreePort } from "../free-port";
import { makeFolder, openPlane, type Plane, walk } from "../harness";
import { startProcess } from "../process";
import { recountTasks } from "../recount";
import { variation } from "../runs";
import { createTestDatabase, testsOnPostgres } from "../test-database";
import { baseUrl, keptSteps, layKeptFile, loadKeptDump, readKnown, testSecret } from "./kept-data";

const database = testsOnPostgres() ? "postgres" : "sqlite";
const steps = keptSteps().filter((step) => existsSync(resolve(import.meta.dir, "kept", step, `${database}.json.zst`)));
const newest = readdirSync(resolve(import.meta.dir, "../../src/database/migrations"))
  .filter((name) => /^\d{4}-[^.]+\.ts$/.test(name))
  .sort();
const leave: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const act of leave) await act();
});

/** Makes data of an earlier version, and gives the settings to open it with. */
async function layEarlier(step: string, folder: string): Promise<Record<string, string>> {
  const lay = {
    sqlite: async () => `sqlite:${layKeptFile(step, folder)}`,
    postgres: async () => {
      const { url, drop } = await createTestDatabase();
      leave.push(drop);
      await loadKeptDump(step, url);
      return url;
    },
  };
  return { secret_key: testSecret, base_url: baseUrl, data_dir: folder, database_url: await lay[database]() };
}

/** Opens the present service on the data of an earlier version, at the time at which that was made. */
async function upgrade(step: string, now: number): Promise<Plane> {
  const folder = makeFolder();
  const plane = await openPlane(await layEarlier(step, folder), folder);
  leave.unshift(() => plane.close());
  plane.clock.now = now;
  return plane;
}

test("R23: data is kept of the version before the newest step of the schema", () => {
  const places = newest.map((name) => name.slice(0, 4));
  expect(steps.length).toBeGreaterThan(1);
  expect(places.slice(-2)).toContain(steps.at(-1) ?? "");
});

test.each(steps)(
  "R23: data of schema step %s is served by this version, with everything that it held",
  async (step) => {
    const known = readKnown(step, database);
    const plane = await upgrade(step, known.madeAt);
    const { owner, personal, revoked } = known.tokens;
    expect(Object.keys(known.lists).length).toBeGreaterThanOrEqual(5);
    for (const [list, items] of Object.entries(known.lists)) {
      const shown = await walk(plane, `/${list}?limit=100`, { token: owner });
      const byId = new Map(shown.map((item) => [item.id, item]));
      const found = items.map((item) => pick(byId.get(item.id), item));
      expect({ list, found }).toEqual({ list, found: items.map((item) => pick(item, item)) });
      expect({ list, count: shown.length }).toEqual({ list, count: items.length });
    }
    expect((await plane.ask("/tasks?limit=1", { token: owner })).body.total_count).toBe(known.lists.tasks?.length);
    expect((await plane.ask("/caller", { token: personal })).status).toBe(200);
    expect((await plane.ask("/tasks", { token: revoked })).body.errors[0].error_code).toBe(40105);
    const { kept, counted } = await plane.database.snapshot(recountTasks);
    expect(kept).toEqual(counted);
    const { end } = await plane.database.snapshot((db) => verifyChain(db, plane.controlPlane.sealer));
    expect(end.count).toBeGreaterThanOrEqual(known.auditEvents);
  },
);

test("R23: the log says what is migrated, and how to have a copy", async () => {
  const [step = ""] = steps;
  const folder = makeFolder();
  leave.push(async () => rmSync(folder, { recursive: true }));
  const told: unknown[] = [];
  const settings = readSettings({ flags: await layEarlier(step, folder), environment: {}, file: null });
  const opened = await openDatabase(settings, { isServing: false, notify: (...news) => told.push(news) });
  await opened.close();
  const last = newest.at(-1)?.replace(/\.ts$/, "");
  const detail = {
    sqlite: `; the copy is ${folder}/holdfast.db-before-upgrade`,
    postgres:
      "; Holdfast makes no copy of it. Before an upgrade, run: pg_dump --format=custom --file=holdfast.dump --username=",
  };
  expect(told).toEqual([
    [
      "info",
      expect.stringMatching(/^The database is of an older version, so it is .*migrated\.$/),
      { detail: expect.stringContaining(`from 0002-access to ${last}${detail[database]}`) },
    ],
    ["info", "The database was migrated.", {}],
  ]);
});

variation("R23: a process that starts on data of an earlier version copies it, migrates it and serves it", async () => {
  const step = steps.at(-2) ?? "";
  const folder = makeFolder();
  const flags = await layEarlier(step, folder);
  const environment = { HOLDFAST_SECRET_KEY: testSecret };
  const { secret_key: _secret, ...given } = flags;
  const port = String(await findFreePort());
  const server = await startProcess({ folder, flags: { ...given, port, allowed_hosts: "127.0.0.1" }, environment });
  const known = readKnown(step, database);
  const { body } = await server.ask("/tasks?limit=1", { token: known.tokens.owner });
  expect(body.total_count).toBe(known.lists.tasks?.length);
  expect(server.printed()).toContain('"message":"The database was migrated."');
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** Those fields of an item that another one has, without what a look at it changes. */
function pick(item: Record<string, unknown> | undefined, other: Record<string, unknown>): Record<string, unknown> {
  // Roles that every version brings gain permissions and may be described in other words.
  const grown = String(other.id).startsWith("00000000-0000-4000-8000-") ? ["permissions", "description"] : [];
  const names = Object.keys(other).filter((name) => !/^_links$|^last_used/.test(name) && !grown.includes(name));
  return Object.fromEntries(names.map((name) => [name, item?.[name]]));
}
