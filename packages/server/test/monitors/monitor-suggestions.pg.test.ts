import { afterAll, beforeAll, expect, test } from "bun:test";
import type { MonitorSuggestionV1 } from "@holdfast/api/resources/monitor-suggestions";
import { codesOf } from "../conformance/codes-of";
import type { Ask } from "../harness";
import { openWatchedPlane, type WatchedPlane } from "./watched-plane";

const hour = 3_600_000;
const day = 24 * hour;
const begin = Date.parse("2026-09-20T00:00:00Z");
const operation = "restic_backup /etc → nas:/restic";

let plane: WatchedPlane;
beforeAll(async () => {
  plane = await openWatchedPlane("2026-09-20T00:00:00Z");
});
afterAll(() => plane.close());

const send = (method: string, path: string, body: object, ask: Ask = {}) =>
  plane.ask(path, { token: plane.token, method, body, ...ask });

/** Reports runs of an item at some moments, and leaves the clock shortly after the last. */
async function run(value: string, moments: readonly number[], more: object = {}) {
  const entity = { primary_entity: { type: "host", id: value, value } };
  for (const at of moments) {
    plane.clock.now = at;
    const task = { category: "backup", type: "restic_backup", operation, status: "completed", ...entity, ...more };
    expect((await send("POST", "/tasks", task)).status).toBe(201);
  }
  plane.clock.now += 60_000;
}

/** Moments every day at an hour in UTC. */
const nights = (count: number, at = 2 * hour) => Array.from({ length: count }, (_, index) => begin + index * day + at);

const suggestions = async (query = "", ask: Ask = {}) =>
  plane.ask(`/monitor-suggestions${query}`, { token: plane.token, ...ask });
const itemsOf = async (query?: string, ask?: Ask): Promise<MonitorSuggestionV1[]> =>
  (await suggestions(query, ask)).body._embedded.items;
const filtered = (filter: object) => `?filter=${encodeURIComponent(JSON.stringify(filter))}`;

test("an operation that nothing watches gets a monitor that watches it, without a change of the job", async () => {
  const unit = await plane.addUnit("Nights");
  const inUnit = { organizational_unit_id: unit };
  await run("web-1", nights(14), inUnit);
  const [suggestion, ...others] = await itemsOf("", { unit });
  expect(others).toEqual([]);
  const { body: entities } = await plane.ask("/entities", { token: plane.token, unit });
  const work = { type: "restic_backup", primary_entity: { type: "host", id: "web-1", value: "web-1" }, operation };
  expect(suggestion).toEqual({
    entity_id: entities._embedded.items[0].id,
    organizational_unit_id: unit,
    ...work,
    confidence: "high",
    run_count: 14,
    max_deviation_seconds: 0,
    reason: "14 of the last 14 runs began every day at 02:00 in UTC, on the second.",
    monitor: {
      name: `web-1: ${operation}`,
      slug: "web-1-restic_backup-etc-nas-restic",
      organizational_unit_id: unit,
      category: "backup",
      ...work,
      schedule: { cron: "0 2 * * *", time_zone: "UTC" },
      grace_seconds: 3_600,
    },
  });
  const made = await send("POST", "/monitors/_batch", { monitors: [suggestion?.monitor] });
  expect(made.body.results).toMatchObject([{ status: 201 }]);
  const { monitor } = made.body.results[0];
  expect(await itemsOf("", { unit })).toEqual([]);
  const read = async () => (await plane.ask("/entities", { token: plane.token, unit })).body._embedded.items[0];
  expect(await read()).toMatchObject({
    state: "good",
    operations: [{ operation, state: "good", monitor_ids: [monitor.id] }],
  });

  // The next run counts, and one that does not come is missed.
  await run("web-1", [begin + 14 * day + 2 * hour], inUnit);
  expect(await plane.read(monitor)).toMatchObject({ state: "ok", recent_outcomes: [{ outcome: "success" }] });
  expect(await read()).toMatchObject({ operations: [{ operation, monitor_ids: [monitor.id] }] });
  plane.clock.now += 2 * hour;
  await plane.worker.sweep();
  await plane.pass(24 * hour, 50_000);
  expect(await plane.read(monitor)).toMatchObject({ state: "missed" });
  expect(await read()).toMatchObject({ state: "missed", operations: [{ operation, state: "missed" }] });
  // Without its monitor it is suggested again: the task of the miss is no run.
  await plane.ask(`/monitors/${monitor.id}`, { token: plane.token, method: "DELETE" });
  expect(await itemsOf("", { unit })).toMatchObject([{ run_count: 15 }]);
}, 60_000);

test("each operation of an item has its own, unless a monitor watches it, it is retired, or it has run too seldom", async () => {
  const unit = await plane.addUnit("Several");
  const inUnit = { organizational_unit_id: unit };
  await run("db-1", nights(10), { ...inUnit, operation: "dump" });
  await run("db-1", nights(10, 5 * hour), { ...inUnit, operation: "copy" });
  await run("db-1", nights(10, 7 * hour), { ...inUnit, operation: "Dump" });
  await run("db-1", nights(4, 8 * hour), { ...inUnit, operation: "seldom" });
  const shown = await itemsOf("", { unit });
  expect(shown.map((one) => [one.operation, one.monitor.slug])).toEqual([
    ["Dump", "db-1-dump"],
    ["copy", "db-1-copy"],
    ["dump", expect.stringMatching(/^db-1-dump-[0-9a-f]{8}$/)],
  ]);
  expect(await itemsOf("", { unit })).toEqual(shown);
  await send("POST", "/monitors", { ...shown[0]?.monitor, paused_until: "2027-01-01T00:00:00Z" });
  expect((await itemsOf("", { unit })).map((one) => one.operation)).toEqual(["copy", "dump"]);
  const operations = [{ operation: "copy", is_retired: true }];
  expect((await send("PATCH", `/entities/${shown[0]?.entity_id}`, { operations })).status).toBe(200);
  expect((await itemsOf("", { unit })).map((one) => one.operation)).toEqual(["dump"]);
  expect((await send("PATCH", `/entities/${shown[0]?.entity_id}`, { is_retired: true })).status).toBe(200);
  expect(await itemsOf("", { unit })).toEqual([]);
});

test("the list has pages, filters and a time zone, and refuses what is wrong", async () => {
  const unit = await plane.addUnit("Pages");
  const inUnit = { organizational_unit_id: unit };
  for (const name of ["c", "A", "b", "d", "e"]) await run(name, nights(14, 22.5 * hour), inUnit);
  await run("f", nights(5, 23 * hour), inUnit);
  const names = (items: MonitorSuggestionV1[]) => items.map((one) => one.primary_entity.value);
  const first = (await suggestions("?limit=4", { unit })).body;
  expect([names(first._embedded.items), first.total_count, first.current_count]).toEqual([["A", "b", "c", "d"], 6, 4]);
  const next = (await plane.ask(first._links.next.href, { token: plane.token, unit })).body;
  expect([names(next._embedded.items), next.total_count, next._links.next]).toEqual([["e", "f"], 6, undefined]);
  const back = (await plane.ask(next._links.prev.href, { token: plane.token, unit })).body;
  expect(names(back._embedded.items)).toEqual(["A", "b", "c", "d"]);

  expect(names(await itemsOf(filtered({ confidence: "low" }), { unit }))).toEqual(["f"]);
  expect(names(await itemsOf(filtered({ confidence: { $neq: "high" } }), { unit }))).toEqual(["f"]);
  expect(await itemsOf(filtered({ "primary_entity.type": { $in: ["database"] } }), { unit })).toEqual([]);
  const [entityId] = (await itemsOf("", { unit })).map((one) => one.entity_id);
  expect(names(await itemsOf(filtered({ entity_id: entityId }), { unit }))).toEqual(["A"]);

  const [inBerlin] = await itemsOf("?time_zone=Europe/Berlin", { unit });
  expect(inBerlin?.monitor.schedule).toEqual({ cron: "30 0 * * *", time_zone: "Europe/Berlin" });
  expect(codesOf(await suggestions("?time_zone=Mars/Base"))).toEqual([40003]);
  expect((await suggestions(filtered({ operation: "x" }))).status).toBe(400);
});

test("T9: nothing of other units is suggested, and it takes monitors:read", async () => {
  const [own, other] = [await plane.addUnit("Own"), await plane.addUnit("Other")];
  await run("web-9", nights(10), { organizational_unit_id: other });
  const { token } = await plane.serviceToken("viewer", own);
  expect(await itemsOf("", { token, unit: own })).toEqual([]);
  expect((await suggestions("", { token, unit: other })).status).toBe(403);
  const { token: reporter } = await plane.serviceToken("reporter", own);
  expect((await suggestions("", { token: reporter, unit: own })).status).toBe(403);
});
