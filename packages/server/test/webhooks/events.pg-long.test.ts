import { afterAll, beforeEach, expect, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { webhookEvents } from "@holdfast/api/resources/webhook-words";
import { root } from "../harness";
import { openWebhookPlane } from "./webhook-plane";

const plane = await openWebhookPlane();
afterAll(plane.close);
const made = await plane.addWebhook({ events: webhookEvents });
const error = { code: "disk_full", message: "No space left on device", remedy: "Free some space." };

beforeEach(async () => {
  await plane.deliveries.deliver();
  plane.receiver.received.length = 0;
  // No gap of the sweep is near.
  await plane.pass(301);
});

/** Messages since the test began, oldest first. */
async function sent() {
  await plane.deliveries.deliver();
  return plane.receiver.received.map(({ body }) => JSON.parse(body));
}
const sentTypes = async () => (await sent()).map(({ type }) => type);

async function begin(body: object = {}): Promise<string> {
  const { id } = (await plane.report({ lease_seconds: 30, ...body })).body;
  await plane.pass(1);
  return id;
}

test("a task that runs is told of when it begins and when it ends, not when it gets on", async () => {
  const id = await begin();
  await plane.update(id, { progress_percentage: 10, progress_message: "10 %" });
  await plane.update(id, { status: "completed" });
  const warned = await begin();
  await plane.update(warned, { status: "completed", outcome: "warning", error });
  await plane.update(await begin(), { status: "aborted" });
  await plane.fail();
  expect(await sentTypes()).toEqual([
    "task.started",
    "task.completed",
    "task.started",
    "task.warning",
    "task.started",
    "task.aborted",
    "task.failed",
  ]);
});

test("what begins and ends in one transaction has both events, each with the task as it was then", async () => {
  const id = randomUUID();
  const reports = [
    { operation: "create", task_id: id, body: { id, category: "backup", type: "restic_backup" } },
    { operation: "update", task_id: id, body: { status: "completed" } },
  ];
  const { status } = await plane.ask("/task-reports", { method: "POST", token: plane.runner, body: { reports } });
  expect(status).toBe(200);
  expect((await sent()).map(({ type, data }) => [type, data.task.status])).toEqual([
    ["task.started", "in_progress"],
    ["task.completed", "completed"],
  ]);
});

test("a lost task, one that is heard of again, and one that ends after all", async () => {
  const id = await begin();
  await plane.pass(40);
  await plane.update(id, { progress_percentage: 5 });
  await plane.pass(40);
  await plane.update(id, { status: "completed" });
  expect(await sentTypes()).toEqual(["task.started", "task.lost", "task.revived", "task.lost", "task.completed"]);
});

test("a queued task is told of when it has expired, or when a runner begins it", async () => {
  await begin({ status: "queued", start_by_seconds: 60 });
  const claimed = await begin({ status: "queued", start_by_seconds: 3600 });
  await plane.update(claimed, { status: "in_progress", claim_id: randomUUID() });
  expect(await sentTypes()).toEqual(["task.started"]);
  await plane.update(claimed, { status: "completed" });
  await plane.pass(61);
  expect((await sentTypes()).slice(1)).toEqual(["task.completed", "task.expired"]);
});

test("a task that takes too long or gets no further is told of once", async () => {
  const id = await begin({ lease_seconds: 600, stall_seconds: 60, max_duration_seconds: 120 });
  await plane.pass(200);
  await plane.update(id, { status: "completed" });
  expect(await sentTypes()).toEqual(["task.started", "task.stalled", "task.overdue", "task.completed"]);
});

test("a monitor goes down once and comes up once, with its name beside the task", async () => {
  const monitor = await plane.ask("/monitors", { method: "POST", token: plane.owner, body: { name: "Nightly" } });
  const monitor_id = monitor.body.id;
  await plane.fail({ monitor_id });
  await plane.fail({ monitor_id });
  await plane.report({ monitor_id, status: "completed" });
  await plane.report({ monitor_id, status: "completed" });
  const messages = await sent();
  expect(messages.map(({ type }) => type)).toEqual([
    "task.failed",
    "monitor.down",
    "task.failed",
    "task.completed",
    "monitor.up",
    "task.completed",
  ]);
  expect(messages[1].data.monitor).toEqual({ id: monitor_id, name: "Nightly", slug: monitor.body.slug });
});

test("it hears of its unit and of those below it, of the events that it names, and of tasks that match its filter", async () => {
  const above = await plane.addUnit("Above");
  const own = await plane.addUnit("Own", above);
  const below = await plane.addUnit("Below", own);
  const url = `${plane.receiver.url}/narrow`;
  const filter = { type: { $neq: "pg_dump" }, "primary_entity.value": { $contains: "WEB" } };
  await plane.addWebhook({ url, organizational_unit_id: own, filter });
  const entity = { type: "host", value: "web-1" };
  const inUnit = (organizational_unit_id: string, body: object = {}) =>
    plane.fail({ organizational_unit_id, name: organizational_unit_id, primary_entity: entity, ...body });
  await inUnit(root);
  await inUnit(above);
  await inUnit(own);
  await inUnit(below);
  await inUnit(own, { type: "pg_dump" });
  await inUnit(own, { primary_entity: { type: "host", value: "db-1" } });
  await inUnit(own, { status: "completed", error: undefined });
  await plane.deliveries.deliver();
  const narrow = plane.receiver.received.filter(({ path }) => path === "/narrow");
  expect(narrow.map(({ body }) => JSON.parse(body).data.task.name)).toEqual([own, below]);
  expect(narrow.map(({ body }) => JSON.parse(body).data.organizational_unit.name)).toEqual(["Own", "Below"]);
});

test("the events of a time in which it is off are not kept", async () => {
  const path = `/webhooks/${made.body.id}`;
  await plane.ask(path, { method: "PATCH", token: plane.owner, body: { is_enabled: false } });
  await plane.fail();
  await plane.ask(path, { method: "PATCH", token: plane.owner, body: { is_enabled: true } });
  await plane.fail({ name: "kept" });
  expect((await sent()).map(({ data }) => data.task.name)).toEqual(["kept"]);
});

test.each([
  ["control characters", "\u0001", "x"],
  ["three bytes each", "界", "界"],
  ["four bytes each", "😀", "😀"],
  ["quotes", '"', '"'],
])("a message is below 20 kB whatever the task says: %s", async (_, inTexts, inLines) => {
  const line = (length: number) => inLines.repeat(length / inLines.length);
  const text = inTexts.repeat(8192 / inTexts.length);
  const { status } = await plane.fail({
    error: { code: "disk_full", message: text, remedy: text },
    primary_entity: { type: line(128), value: line(1024) },
    runner: { host: line(254), version: "1" },
    progress_message: line(200),
  });
  expect(status).toBe(201);
  await plane.deliveries.deliver();
  const [{ body } = { body: "" }] = plane.receiver.received;
  expect(Buffer.byteLength(body)).toBeLessThan(20_000);
  expect(body.isWellFormed()).toBe(true);
  expect(JSON.parse(body).data.task.error.message.length).toBeLessThanOrEqual(2_000);
});
