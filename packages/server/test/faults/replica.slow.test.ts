import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { insertTasks } from "../../src/resources/tasks/reports/store";
import type { Answered, Plane } from "../harness";
import { parseMetrics } from "../metrics/parse-metrics";
import { createDice } from "../random";
import { control, patiently, size } from "../runs";
import { createCrowd, livingTask } from "../walk/crowd";
import { findFaults } from "../walk/walk-while";
import { type Replicated, startReplicated, until, withoutPositions } from "./replicated-planes";

let world: Replicated;
/** Reads lists from the replica, however far behind that is. */
let patient: Plane;
/** Reads lists from the replica while it is no further behind than a second. */
let strict: Plane;
/** Knows of no replica. */
let alone: Plane;
let unit: string;
let token: string;

beforeAll(async () => {
  world = await startReplicated();
  alone = await world.open({ metrics_token: "let me see" });
  patient = await world.open({ replica_url: world.replicaUrl, replica_lag: "3600", metrics_token: "let me see" });
  strict = await world.open({ replica_url: world.replicaUrl, replica_lag: "1", metrics_token: "let me see" });
}, 120_000);
afterAll(() => world.remove());

beforeEach(async () => {
  unit = await alone.addUnit(`A unit of its own ${crypto.randomUUID()}`);
  token = (await alone.serviceToken("viewer", unit)).token;
  await world.resumeReplay();
  await world.catchUp();
  for (const plane of [patient, strict]) await until("the replica is used", () => readsFromReplica(plane));
});

const list = (plane: Plane, query = "?limit=5") => plane.ask(`/tasks${query}`, { token });
const total = async (plane: Plane): Promise<number> => (await list(plane)).body.total_count;

/** Whether a list that nobody remembers comes from the replica. */
async function readsFromReplica(plane: Plane): Promise<boolean> {
  const before = world.readsOnReplica();
  const anyTime = new Date(Math.floor(Math.random() * 1e12)).toISOString();
  const filter = encodeURIComponent(JSON.stringify({ created_timestamp: { $gte: anyTime } }));
  const { status } = await list(plane, `?filter=${filter}`);
  return status === 200 && world.readsOnReplica() > before;
}

test("lists are read from the replica; items, tokens and rights from the primary", async () => {
  const tasks = () => [{ organizational_unit_id: unit }];
  await alone.addTasks(tasks());
  await world.catchUp();
  await world.pauseReplay();
  const [added] = await alone.addTasks(tasks());
  const fresh = await alone.serviceToken("viewer", unit);
  expect(await Promise.all([total(patient), total(alone)])).toEqual([1, 2]);
  const item = await patient.ask(`/tasks/${added?.id}`, fresh);
  expect([item.status, item.body.id]).toEqual([200, added?.id]);
  expect((await patient.ask("/tasks", fresh)).body.total_count).toBe(1);
  await world.resumeReplay();
  await until("the new task is listed", async () => (await total(patient)) === 2);
});

test("metrics say how far the replica is behind in seconds and bytes, and nothing where there is none", async () => {
  const { figures } = patient.database;
  expect(alone.database.figures.replicaLag()).toBeUndefined();
  const shown = async (plane: Plane) => {
    const { text } = await plane.ask("/metrics", { token: "let me see" });
    const scraped = parseMetrics(text);
    return ["up", "lag_seconds", "lag_bytes"].map((name) => scraped.get(`holdfast_replica_${name}`));
  };
  expect(await shown(alone)).toEqual([undefined, undefined, undefined]);
  // The primary writes now and then by itself, so once is not enough.
  await until("it has caught up", async () => JSON.stringify(await shown(patient)) === "[1,0,0]");
  await world.pauseReplay();
  await alone.addTasks([{ organizational_unit_id: unit }]);
  const pausedAt = performance.now();
  await Bun.sleep(2_500);
  for (const plane of [patient, strict]) {
    const [up, seconds, bytes] = await shown(plane);
    const waited = (performance.now() - pausedAt) / 1000;
    expect(up).toBe(1);
    expect(seconds).toBeGreaterThan(1.5);
    // It was up to date when replay stopped, a moment before.
    expect(seconds).toBeLessThan(waited + 10);
    expect(bytes).toBeGreaterThan(100);
  }
  await world.resumeReplay();
  await until("it has caught up again", () => figures.replicaLag()?.bytes === 0);
});

test("T6, R12: with a replica that is behind, a revoked token is refused from the next request on", async () => {
  await world.pauseReplay();
  const seen: string[] = [];
  for (let round = 0; round < size({ usual: 15, long: 1_000 }); round++) {
    const made = await alone.serviceToken("viewer", unit);
    const before = await patient.ask("/tasks?limit=1", made);
    await alone.database.change((db) => revokeToken(db, made.id, Date.now()));
    const after = await patient.ask("/tasks?limit=1", made);
    seen.push(`${before.status} ${after.status}`);
  }
  expect(new Set(seen)).toEqual(new Set(["200 401"]));
}, 120_000);

/** Adds a task that the replica does not get, and looks at once. Where that took too long to be at once, it tries again. */
async function fallBehind(): Promise<{ pausedAt: number; before: number; seen: number }> {
  for (let tries = 1; ; tries++) {
    const before = await total(alone);
    await world.pauseReplay();
    const pausedAt = performance.now();
    await alone.addTasks([{ organizational_unit_id: unit }]);
    const seen = await total(strict);
    if (seen === before || tries === 5) return { pausedAt, before, seen };
    await world.resumeReplay();
    await world.catchUp();
    await until("the replica is used", () => readsFromReplica(strict));
  }
}

test("a replica that is too far behind is left alone until it has caught up", async () => {
  const { pausedAt, before, seen } = await fallBehind();
  expect(seen).toBe(before);
  await until("the new task is listed", async () => (await total(strict)) === before + 1);
  expect(performance.now() - pausedAt).toBeGreaterThan(500);
  expect(performance.now() - pausedAt).toBeLessThan(patiently(3_000));
  expect(await readsFromReplica(strict)).toBe(false);
  await world.resumeReplay();
  await until("the replica is used again", () => readsFromReplica(strict));
});

test("a replica that keeps up is used while the primary has nothing to do, also after it has begun another log file", async () => {
  await world.primary.query("select pg_switch_wal()");
  await Bun.sleep(3_000);
  for (let round = 0; round < 5; round++) {
    // Beside other jobs it may be behind for a moment.
    await until("the replica is used", () => readsFromReplica(strict), patiently(1_000));
    await Bun.sleep(300);
  }
});

test("a replica that keeps up is used while others write all the time", async () => {
  let isOver = false;
  const write = async () => {
    while (!isOver) await alone.addTasks([{}]);
  };
  const writing = write();
  const used: boolean[] = [];
  for (let round = 0; round < 40; round++) {
    used.push(await readsFromReplica(strict));
    await Bun.sleep(50);
  }
  isOver = true;
  await writing;
  // Beside other jobs it may be behind now and then.
  expect(used.filter((isUsed) => !isUsed).length).toBeLessThanOrEqual(size({ usual: 20, long: 0 }));
});

/** Tasks, somebody who works on them, and a walk whose pages come from one plane after the other. */
async function walkAcross(
  planes: readonly Plane[],
  seed: number,
  begin: () => Promise<void>,
  meanwhile = async () => {},
) {
  const dice = createDice(seed);
  const first = Array.from({ length: 120 }, (_, number) => livingTask(number, dice, unit));
  await alone.database.change((db) => insertTasks(db, first));
  await begin();
  const crowd = createCrowd([alone.database], first, dice, unit);
  const pages: Answered[] = [];
  for (
    let href: string | undefined = "/tasks?limit=5";
    href !== undefined;
    href = pages.at(-1)?.body._links.next?.href
  ) {
    const page: Answered | undefined = await planes[pages.length % planes.length]?.ask(href, { token, unit });
    expect(page?.status).toBe(200);
    pages.push(...(page ? [page] : []));
    await meanwhile();
    for (let act = dice(4); act > 0; act--) await crowd.act();
  }
  return findFaults(pages, crowd, crowd.steady());
}

test("R9 a walk stays exact while replay stops and goes on, whichever process answers", async () => {
  const reads = [world.readsOnReplica(), world.readsOnPrimary()];
  const dice = createDice(20_261_115);
  for (let walk = 0; walk < size({ usual: 4, long: 100 }); walk++) {
    unit = await alone.addUnit(`Walk ${walk}`);
    token = (await alone.serviceToken("viewer", unit)).token;
    const planes = [[patient], [strict], [patient, alone], [alone, patient, strict]][walk % 4] ?? [];
    const faults = await walkAcross(planes, walk, world.catchUp, async () => {
      const act = [world.pauseReplay, world.resumeReplay, world.resumeReplay][dice(12)];
      await act?.();
    });
    await world.resumeReplay();
    expect(faults).toEqual({
      duplicates: [],
      missed: [],
      late: [],
      misplaced: [],
      totals: [120],
    });
  }
  const since = [world.readsOnReplica(), world.readsOnPrimary()].map((count, index) => count - (reads[index] ?? 0));
  expect(Math.min(...since)).toBeGreaterThan(50);
}, 300_000);

control("R9 the control: without positions in cursors the same walk misses tasks", async () => {
  const { missed } = await walkAcross([withoutPositions(patient)], 7, world.catchUp);
  expect(missed).toEqual([]);
  await world.pauseReplay();
  unit = await alone.addUnit("Unknown to the replica");
  token = (await alone.serviceToken("viewer", unit)).token;
  const faults = await walkAcross([withoutPositions(patient)], 7, async () => {});
  expect(faults.missed.length).toBeGreaterThan(50);
});

test("a cursor that a process without a replica has made goes on from the primary, and the other way round", async () => {
  const tasks = await alone.addTasks(Array.from({ length: 8 }, () => ({ organizational_unit_id: unit })));
  await world.catchUp();
  await until("all are listed", async () => (await total(patient)) === 8);
  await world.pauseReplay();
  const oldest = { organizational_unit_id: unit, created_timestamp: "2026-10-01T00:00:00.000Z" };
  const [added] = await alone.addTasks([oldest]);
  const newestFirst = tasks.map(({ id }) => id).reverse();
  const seen = async (...planes: Plane[]) => {
    const ids: string[] = [];
    let href: string | undefined = "/tasks?limit=5";
    for (let page = 0; href !== undefined; page++) {
      const { body }: Answered = await (planes[page] ?? alone).ask(href, { token });
      ids.push(...body._embedded.items.map(({ id }: { id: string }) => id));
      href = body._links.next?.href;
    }
    return ids;
  };
  expect(await seen(alone, patient)).toEqual([...newestFirst, added?.id ?? ""]);
  expect(await seen(patient, alone)).toEqual(newestFirst);
});

test("an ETag is the same from both and lasts while nothing changes in the list, however far the log goes on", async () => {
  await alone.addTasks(Array.from({ length: 12 }, () => ({ organizational_unit_id: unit })));
  await world.catchUp();
  await until("all are listed", async () => (await total(patient)) === 12);
  const etags: (string | null)[] = [];
  const statuses: number[] = [];
  const bodies = new Set<string>();
  for (let round = 0; round < 6; round++) {
    await alone.addTasks([{}]);
    await world.catchUp();
    const [page, onPrimary] = await Promise.all([list(patient), list(withoutPositions(patient))]);
    etags.push(page.headers.get("etag"), onPrimary.headers.get("etag"));
    bodies.add(page.text);
    const known = { token, headers: { "If-None-Match": etags[0] ?? "" } };
    statuses.push(
      ...(await Promise.all([patient, alone].map(async (plane) => (await plane.ask("/tasks?limit=5", known)).status))),
    );
  }
  expect(etags[0]).toMatch(/^W\/"/);
  expect([new Set(etags).size, bodies.size]).toEqual([1, 6]);
  expect(statuses).toEqual(statuses.map(() => 304));
  await alone.addTasks([{ organizational_unit_id: unit }]);
  await world.catchUp();
  await until("the ETag is another one", async () => (await list(patient)).headers.get("etag") !== etags[0]);
});
