import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { sql } from "kysely";
import { verifyChain } from "../../src/audit/verify-chain";
import type { Queries } from "../../src/database/database";
import { readTables, type Tables } from "../../src/database/move/read-tables";
import { openDatabase } from "../../src/database/open-database";
import { schemaSteps } from "../../src/database/schema-steps";
import { readSettings } from "../../src/settings/settings";
import { openByUrl } from "../folder-database";
import { findFreePort } from "../free-port";
import { makeFolder, openPlane, type Plane, walk } from "../harness";
import { startProcess } from "../process";
import { recountTasks } from "../recount";
import { variation } from "../runs";
import { createTestDatabase, testsOnPostgres } from "../test-database";
import { baseUrl, keptSteps, layKeptFile, loadKeptDump, readKnown, testSecret } from "./kept-data";
import { lastStep, withSecondStep } from "./second-step";

const database = testsOnPostgres() ? "postgres" : "sqlite";
const steps = keptSteps();
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

test("R23: data is kept of the newest step of the schema, or of the one before it", () => {
  const newest = Object.keys(schemaSteps).map((name) => name.slice(0, 4));
  expect(newest.slice(-2)).toContain(steps.at(-1) ?? "");
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

test("R23: a migration keeps every row of every table, and adds what its steps say", async () => {
  const folder = makeFolder();
  leave.push(async () => rmSync(folder, { recursive: true }));
  const { database_url: url = "" } = await layEarlier(steps.at(-1) ?? "", folder);
  const before = await openByUrl(url);
  const tables = await before.snapshot(readTables);
  const rows = await before.snapshot((db) => readRows(db, tables));
  await before.close();
  expect(rows.get("tasks")?.length).toBeGreaterThan(20);
  const after = await openByUrl(url, withSecondStep);
  expect(await after.snapshot((db) => readRows(db, tables))).toEqual(rows);
  const shades = await after.snapshot((db) => sql`select distinct shade from tasks order by shade`.execute(db));
  await after.close();
  expect(shades.rows).toEqual([{ shade: "light blue" }, { shade: "light green" }]);
});

test("R23: the log says what is migrated, and how to have a copy", async () => {
  const folder = makeFolder();
  leave.push(async () => rmSync(folder, { recursive: true }));
  const told: unknown[] = [];
  const settings = readSettings({ flags: await layEarlier("0001", folder), environment: {}, file: null });
  const notify = (...news: unknown[]) => told.push(news);
  const opened = await openDatabase(settings, { isServing: false, notify, steps: withSecondStep });
  await opened.close();
  const detail = {
    sqlite: `; the copy is ${folder}/holdfast.db-before-upgrade`,
    postgres:
      "; Holdfast makes no copy of it. Before an upgrade, run: pg_dump --format=custom --file=holdfast.dump --username=",
  };
  expect(told).toEqual([
    [
      "info",
      expect.stringMatching(/^The database is of an older version, so it is .*migrated\.$/),
      { detail: expect.stringContaining(`from 0001-initial-schema to ${lastStep}${detail[database]}`) },
    ],
    ["info", "The database was migrated.", {}],
  ]);
});

test("R23: a database that a newer version has migrated is refused, and stays as it is", async () => {
  const folder = makeFolder();
  leave.push(async () => rmSync(folder, { recursive: true }));
  const { database_url: url = "" } = await layEarlier("0001", folder);
  await (await openByUrl(url, withSecondStep)).close();
  await expect(openByUrl(url)).rejects.toThrow(
    /^The database was made by a newer version of Holdfast \(it has the migration 0002-colours, 0003-shades\)\. Start that version, or /,
  );
  const newer = await openByUrl(url, withSecondStep);
  const { rows } = await newer.snapshot((db) => sql`select distinct colour from roles order by colour`.execute(db));
  await newer.close();
  expect(rows).toEqual([{ colour: "grey" }, { colour: "red" }]);
});

variation("R23: a process that starts on data of an earlier version serves it", async () => {
  const [step = ""] = steps;
  const folder = makeFolder();
  const flags = await layEarlier(step, folder);
  const environment = { HOLDFAST_SECRET_KEY: testSecret };
  const { secret_key: _secret, ...given } = flags;
  const port = String(await findFreePort());
  const server = await startProcess({ folder, flags: { ...given, port, allowed_hosts: "127.0.0.1" }, environment });
  const known = readKnown(step, database);
  const { body } = await server.ask("/tasks?limit=1", { token: known.tokens.owner });
  expect(body.total_count).toBe(known.lists.tasks?.length);
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** The columns that these tables had, of all rows; without how often their domains were changed, and by which steps. */
async function readRows(db: Queries, tables: Tables): Promise<Map<string, unknown[]>> {
  const found = new Map<string, unknown[]>();
  for (const [name, columns] of tables) {
    if (/^(kysely_|domain_versions)/.test(name)) continue;
    const all = sql.join(columns.map((column) => sql.ref(column)));
    const { rows } = await sql`select ${all} from ${sql.table(name)} order by ${all}`.execute(db);
    found.set(name, rows);
  }
  return found;
}

/** Those fields of an item that another one has, without what a look at it changes. */
function pick(item: Record<string, unknown> | undefined, other: Record<string, unknown>): Record<string, unknown> {
  // Roles that every version brings gain permissions and may be described in other words.
  const grown = String(other.id).startsWith("00000000-0000-4000-8000-") ? ["permissions", "description"] : [];
  const names = Object.keys(other).filter((name) => !/^_links$|^last_used/.test(name) && !grown.includes(name));
  return Object.fromEntries(names.map((name) => [name, item?.[name]]));
}
