import { afterEach, beforeEach, expect, test } from "bun:test";
import type { PeriodicWorker } from "../../src/workers/periodic-worker";
import { startReminders } from "../../src/workers/send-reminders";
import { openWebhookPlane, type WebhookPlane } from "./webhook-plane";

const hour = 3_600_000;
const day = 24 * hour;
const error = { code: "disk_full", message: "No space left on device", remedy: "" };
const both = ["monitor.down", "task.failed"];

let plane: WebhookPlane;
let workers: PeriodicWorker[];
beforeEach(async () => {
  plane = await openWebhookPlane();
  // As many as processes would have.
  workers = [startReminders(plane.service), startReminders(plane.service), startReminders(plane.service)];
});
afterEach(async () => {
  for (const worker of workers) await worker.stop();
  await plane.close();
});

/** Lets time pass with a look every hour by all processes at once, and delivers what is due. */
async function pass(hours: number): Promise<void> {
  for (let passed = 0; passed < hours; passed++) {
    plane.clock.now += hour;
    await Promise.all(workers.map((worker) => worker.run()));
  }
  await plane.deliveries.deliver();
}

const ask = async (path: string, method: string, body: object) =>
  (await plane.ask(path, { method, token: plane.owner, body })).body;
const addMonitor = (name: string) => ask("/monitors", "POST", { name });
const fail = (body: object) => plane.report({ status: "failed", error, ...body });
const succeed = (body: object) => plane.report({ status: "completed", ...body });

/** The texts of the reminders in the chat so far. */
const reminders = () =>
  plane.receiver.received.map(({ body }) => JSON.parse(body).text ?? "").filter((text) => text.includes("Reminder: "));

test("a monitor that stays down is reminded of once a day, also with several processes, until it is up again", async () => {
  await plane.addWebhook({ kind: "slack", events: both });
  const { id: monitor_id } = await addMonitor("Nightly");
  await fail({ monitor_id });
  await pass(23);
  expect(reminders()).toEqual([]);
  await pass(1);
  expect(reminders()).toHaveLength(1);
  expect(reminders()[0].split("\n")).toEqual([
    "*Reminder: Nightly is still down, for 24 hours*",
    "Monitor Nightly: failed for 24 hours, since 2026-11-15 12:00:00 UTC",
    "What to do: open the console, correct the cause, or pause, mute or retire what is not needed any more.",
    "Organizational unit: Root",
    "http://holdfast.test/console/",
  ]);
  await fail({ monitor_id });
  await pass(23);
  expect(reminders()).toHaveLength(1);
  await pass(25);
  expect(reminders()).toHaveLength(3);
  expect(reminders()[2]).toContain("is still down, for 3 days");
  expect(await plane.listDeliveries({ event: "webhook.reminder" })).toMatchObject([
    { task_id: null, state: "delivered", event_count: 1 },
    {},
    {},
  ]);
  await succeed({ monitor_id });
  await pass(72);
  expect(reminders()).toHaveLength(3);
});

test("by default kinds that reach people remind daily and programs never; weekly is once a week", async () => {
  const people = await plane.addWebhook({ kind: "slack", events: both });
  const program = await plane.addWebhook({ name: "program", events: both });
  expect([people.body.remind_after, program.body.remind_after]).toEqual(["daily", "never"]);
  await ask(`/webhooks/${people.body.id}`, "PATCH", { remind_after: "weekly" });
  const { id: monitor_id } = await addMonitor("Nightly");
  await fail({ monitor_id });
  await pass(7 * 24 - 1);
  expect(await plane.listDeliveries({ event: "webhook.reminder" })).toEqual([]);
  await pass(1);
  expect(await plane.listDeliveries({ event: "webhook.reminder" })).toMatchObject([{ webhook_id: people.body.id }]);
  await pass(7 * 24 - 1);
  expect(reminders()).toHaveLength(1);
});

test("a program that wants reminders gets what is down as data", async () => {
  await plane.addWebhook({ remind_after: "daily", events: both });
  const { id: monitor_id } = await addMonitor("Nightly");
  const { body: task } = await fail({ monitor_id });
  const since = new Date(plane.clock.now).toISOString();
  await pass(24);
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body)).at(-1)).toMatchObject({
    type: "webhook.reminder",
    data: {
      task: null,
      monitor: null,
      reminder: {
        down_count: 1,
        down: [{ kind: "monitor", id: monitor_id, name: "Nightly", since_timestamp: since, task_id: task.id }],
      },
    },
  });
});

test("an item without a monitor is reminded of while its backups fail, and not once one is good", async () => {
  await plane.addWebhook({ kind: "slack", events: ["task.failed"] });
  const primary_entity = { type: "host", value: "web-1" };
  await succeed({ primary_entity });
  plane.clock.now += hour;
  await fail({ primary_entity });
  await pass(25);
  expect(reminders()).toHaveLength(1);
  expect(reminders()[0]).toContain(
    "Item web-1: failing for 24 hours, since 2026-11-15 14:00:00 UTC; its last good backup was at 2026-11-15 12:00:00 UTC",
  );
  await succeed({ primary_entity });
  await pass(48);
  expect(reminders()).toHaveLength(1);
  // It starts to count again.
  await fail({ primary_entity });
  await pass(24);
  expect(reminders()).toHaveLength(1);
  await pass(1);
  expect(reminders()).toHaveLength(2);
});

test("nothing is reminded of that is paused, muted or retired, nor by a webhook that is off or does not hear of it", async () => {
  const paused = await addMonitor("Paused");
  await fail({ monitor_id: paused.id });
  const primary_entity = { type: "host", value: "web-1" };
  const muted = await ask("/monitors", "POST", { name: "Muted", primary_entity });
  await succeed({ monitor_id: muted.id });
  await fail({ monitor_id: muted.id });
  await succeed({ primary_entity: { type: "host", value: "old" } });
  await fail({ primary_entity: { type: "host", value: "old" } });
  const webhook = await plane.addWebhook({ kind: "slack", events: both });
  await plane.addWebhook({ name: "other filter", kind: "slack", events: both, filter: { type: "pg_dump" } });
  await plane.addWebhook({ name: "other events", kind: "slack", events: ["task.completed"] });
  const { _embedded: entities } = (await plane.ask("/entities", { token: plane.owner })).body;
  const entity = (value: string) =>
    entities.items.find((one: { primary_entity: { value: string } }) => one.primary_entity.value === value).id;
  const later = new Date(plane.clock.now + 30 * day).toISOString();
  await ask(`/monitors/${paused.id}`, "PATCH", { paused_until: later });
  await ask(`/entities/${entity("web-1")}`, "PATCH", { muted_until: later });
  await ask(`/entities/${entity("old")}`, "PATCH", { is_retired: true });
  await pass(50);
  expect(reminders()).toEqual([]);
  await ask(`/monitors/${paused.id}`, "PATCH", { paused_until: null });
  await ask(`/webhooks/${webhook.body.id}`, "PATCH", { is_enabled: false });
  await pass(2);
  expect(reminders()).toEqual([]);
  // Switched on again, it counts from then.
  await ask(`/webhooks/${webhook.body.id}`, "PATCH", { is_enabled: true });
  await pass(23);
  expect(reminders()).toEqual([]);
  await pass(1);
  expect(reminders()).toHaveLength(1);
  expect(reminders()[0]).toContain("*Reminder: Paused is still down");
});

test("T36: however many are down, a reminder is one message, which says how many there are", async () => {
  await plane.addWebhook({ kind: "slack", events: ["monitor.down"] });
  for (let count = 0; count < 30; count++) {
    const { id: monitor_id } = await addMonitor(`Monitor ${String(count).padStart(2, "0")}`);
    await fail({ monitor_id });
    plane.clock.now += 60_000;
  }
  await pass(72);
  expect(reminders()).toHaveLength(3);
  const lines = reminders()[0].split("\n");
  expect(lines[0]).toBe("*Reminder: 30 monitors and items are still down*");
  expect(lines.filter((line: string) => line.startsWith("Monitor "))).toHaveLength(20);
  expect(lines).toContain("And 10 more.");
});

test("a clock that was ahead and is set back does not silence reminders", async () => {
  await plane.addWebhook({ kind: "slack", events: both });
  const { id: monitor_id } = await addMonitor("Nightly");
  await fail({ monitor_id });
  await pass(24);
  await plane.database.change((db) =>
    db
      .updateTable("webhooks")
      .set({ reminded_at: plane.clock.now + 365 * day })
      .execute(),
  );
  await pass(1);
  expect(reminders()).toHaveLength(2);
});

test("a message that a monitor is up again waits until the reminder that it is down was answered", async () => {
  await plane.addWebhook({ remind_after: "daily", events: ["monitor.down", "monitor.up"] });
  const { id: monitor_id } = await addMonitor("Nightly");
  await fail({ monitor_id });
  await pass(23);
  plane.clock.now += hour;
  await workers[0]?.run();
  await succeed({ monitor_id });
  const types = () => plane.receiver.received.map(({ body }) => JSON.parse(body).type);
  const held: (() => void)[] = [];
  plane.receiver.answer((response) => held.push(() => response.writeHead(204).end()));
  const delivering = plane.deliveries.deliver();
  const deadline = performance.now() + 60_000;
  while (held.length === 0 && performance.now() < deadline) await Bun.sleep(5);
  await Bun.sleep(50);
  expect(types()).toEqual(["monitor.down", "webhook.reminder"]);
  plane.receiver.answer(204);
  for (const answer of held) answer();
  await delivering;
  expect(types()).toEqual(["monitor.down", "webhook.reminder", "monitor.up"]);
});
