import { afterAll, beforeAll, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { codesOf } from "../conformance/codes-of";
import { openWatchedPlane, type WatchedPlane } from "./watched-plane";

const hour = 3_600_000;

let plane: WatchedPlane;
beforeAll(async () => {
  plane = await openWatchedPlane("2026-11-01T00:00:00Z");
});
afterAll(() => plane.close());

const operation = "restic_backup /etc → nas:/restic";
const entityOf = (value: string) => ({ type: "host", id: value, value });
const send = (method: string, path: string, body: object) => plane.ask(path, { token: plane.token, method, body });

async function report(value: string, more: object = {}) {
  const entity = { primary_entity: entityOf(value) };
  const task = { category: "backup", type: "restic_backup", operation, status: "completed", ...entity, ...more };
  return (await send("POST", "/tasks", task)).body;
}

test("runs of a followed operation that name no monitor are runs of it, and keep their operation", async () => {
  const monitor = await plane.addMonitor({
    primary_entity: entityOf("web-1"),
    operation,
    schedule: { cron: "0 2 * * *" },
  });
  expect(monitor).toMatchObject({ operation, state: "waiting" });
  await plane.pass(2 * hour + 60_000, hour / 2);
  const task = await report("web-1");
  expect(task).toMatchObject({ monitor_id: monitor.id, operation });
  for (const other of [
    await report("web-2"),
    await report("web-1", { operation: "another" }),
    await report("web-1", { operation: undefined }),
    await report("web-1", { primary_entity: { ...entityOf("web-1"), type: "folder" } }),
  ]) {
    expect(other.monitor_id).toBeUndefined();
  }
  expect(await plane.read(monitor)).toMatchObject({
    state: "ok",
    last_task_id: task.id,
    recent_outcomes: [{ task_id: task.id, outcome: "success" }],
  });
});

test("a run that does not come is missed, as a task of the same operation", async () => {
  const monitor = await plane.addMonitor({
    primary_entity: entityOf("web-3"),
    operation,
    schedule: { period_seconds: 86_400 },
  });
  await report("web-3");
  await plane.pass(26 * hour, 45_000);
  expect(await plane.read(monitor)).toMatchObject({ state: "missed", missed_in_a_row: 1 });
  const [missed] = await plane.tasksOf(monitor);
  expect(missed).toMatchObject({ outcome: "missed", operation, primary_entity: entityOf("web-3") });
  const failed = await report("web-3", { status: "failed", error: { code: "x", message: "x" } });
  expect(failed.monitor_id).toBe(monitor.id);
  expect(await plane.read(monitor)).toMatchObject({ state: "failed" });
}, 60_000);

test("what a task protects may be said later, and its other runs have an operation, too", async () => {
  const monitor = await plane.addMonitor({ primary_entity: entityOf("web-4"), operation });
  const begun = await report("web-4", { status: "in_progress", primary_entity: undefined, id: randomUUID() });
  expect(begun.monitor_id).toBeUndefined();
  const found = await send("PATCH", `/tasks/${begun.id}`, {
    primary_entity: entityOf("web-4"),
    progress_percentage: 5,
  });
  expect(found.body.monitor_id).toBe(monitor.id);
  expect(await plane.read(monitor)).toMatchObject({ is_running: true, last_task_id: begun.id });
  const ended = await send("PATCH", `/tasks/${begun.id}`, { status: "completed" });
  expect(ended.body).toMatchObject({ monitor_id: monitor.id, outcome: "success" });
  expect(await plane.read(monitor)).toMatchObject({ is_running: false, state: "ok" });
  const named = await send("POST", "/tasks", { monitor_id: monitor.slug, status: "completed" });
  expect(named.body).toMatchObject({ monitor_id: monitor.id, operation });
  const pinged = new URL(monitor.ping_url ?? "").pathname;
  expect((await plane.ask(pinged)).status).toBe(200);
  expect((await plane.tasksOf(monitor)).map((task) => task.operation)).toEqual([operation, operation, operation]);
});

test("of a batch, each report has its own monitor; one that names another keeps that", async () => {
  const follows = await plane.addMonitor({ primary_entity: entityOf("web-5"), operation });
  const other = await plane.addMonitor({});
  const body = (more: object) => ({
    category: "backup",
    type: "restic_backup",
    operation,
    status: "completed",
    primary_entity: entityOf("web-5"),
    ...more,
  });
  const ids = [randomUUID(), randomUUID()];
  const reports = [{ id: ids[0] }, { id: ids[1], monitor_id: other.id }].map((more) => ({
    operation: "create",
    task_id: more.id,
    body: body(more),
  }));
  expect((await send("POST", "/task-reports", { reports })).body.results).toMatchObject([
    { status: 201 },
    { status: 201 },
  ]);
  expect((await plane.tasksOf(follows)).map(({ id }) => id)).toEqual([ids[0] ?? ""]);
  expect((await plane.tasksOf(other)).map(({ id }) => id)).toEqual([ids[1] ?? ""]);
});

test("an operation can be followed later, and no longer; only one of something that is named", async () => {
  const monitor = await plane.addMonitor({ primary_entity: entityOf("web-6") });
  expect((await report("web-6")).monitor_id).toBeUndefined();
  await send("PATCH", `/monitors/${monitor.id}`, { operation });
  expect((await report("web-6")).monitor_id).toBe(monitor.id);
  await send("PATCH", `/monitors/${monitor.id}`, { operation: null });
  expect((await report("web-6")).monitor_id).toBeUndefined();
  const own = await plane.addMonitor({});
  const refusals = [
    await send("POST", "/monitors", { name: "x", operation }),
    await send("PATCH", `/monitors/${own.id}`, { operation }),
    await send("POST", "/monitors", { name: "x", operation: "", primary_entity: entityOf("web-6") }),
  ];
  expect(refusals.map((answer) => [answer.status, codesOf(answer)])).toEqual(refusals.map(() => [422, [42201]]));
});

test("T9: work of another unit is not followed", async () => {
  const unit = await plane.addUnit("Elsewhere");
  await plane.addMonitor({ primary_entity: entityOf("web-7"), operation });
  expect((await report("web-7", { organizational_unit_id: unit })).monitor_id).toBeUndefined();
});
