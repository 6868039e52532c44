import { afterAll, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { resolve } from "node:path";
import { verifyChain } from "../../src/audit/verify-chain";
import { makeFolder, openPlane, type Plane, walk } from "../harness";
import { recountTasks } from "../recount";
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

/** Opens the present service on the data of an earlier version, at the time at which that was made. */
async function upgrade(step: string, now: number): Promise<Plane> {
  const folder = makeFolder();
  const flags: Record<string, string> = { secret_key: testSecret, base_url: baseUrl };
  const prepare = {
    sqlite: async () => layKeptFile(step, folder),
    postgres: async () => {
      const { url, drop } = await createTestDatabase();
      leave.push(drop);
      await loadKeptDump(step, url);
      flags.database_url = url;
    },
  };
  await prepare[database]();
  const plane = await openPlane(flags, folder);
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

/** Those fields of an item that another one has, without what a look at it changes. */
function pick(item: Record<string, unknown> | undefined, other: Record<string, unknown>): Record<string, unknown> {
  // Roles that every version brings gain permissions and may be described in other words.
  const grown = String(other.id).startsWith("00000000-0000-4000-8000-") ? ["permissions", "description"] : [];
  const names = Object.keys(other).filter((name) => !/^_links$|^last_used/.test(name) && !grown.includes(name));
  return Object.fromEntries(names.map((name) => [name, item?.[name]]));
}
