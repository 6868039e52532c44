import { afterEach, beforeEach, expect, test } from "bun:test";
import { removeOldDeliveries } from "../../src/resources/webhooks/deliveries/delivery-store";
import { startWebhookDeliveries, type WebhookDeliveries } from "../../src/workers/deliver-webhooks";
import { timeLimit } from "../runs";
import { openWebhookPlane, type WebhookPlane } from "./webhook-plane";

let plane: WebhookPlane;
const others: WebhookDeliveries[] = [];
beforeEach(async () => {
  plane = await openWebhookPlane({ metrics_token: "of-the-scraper" });
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
  await plane.close();
});

/** Starts another worker of the same service. */
function startOther(every = 1_000_000_000): WebhookDeliveries {
  const other = startWebhookDeliveries({ ...plane.service, every, stopTimeoutMs: 100 });
  others.push(other);
  return other;
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()) && waited < 6_000; waited++) await Bun.sleep(10);
  expect(await isSo()).toBe(true);
}

test("several processes keep the order of a webhook and its limit of four, and send nothing twice", async () => {
  await plane.addWebhook();
  let atOnce = 0;
  let max = 0;
  plane.receiver.answer((response) => {
    atOnce += 1;
    max = Math.max(max, atOnce);
    setTimeout(() => {
      atOnce -= 1;
      response.writeHead(200).end();
    }, 5);
  });
  for (let other = 0; other < 3; other++) startOther(10);
  const ids: string[] = [];
  for (let event = 0; event < 40; event++) ids.push((await plane.fail()).body.id);
  await until(() => plane.receiver.received.length >= ids.length);
  await until(async () => (await plane.listDeliveries({ state: "delivered" })).length === ids.length);
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).data.task.id)).toEqual(ids);
  expect(max).toBeLessThanOrEqual(4);
});

test("what a stopped process has not heard the answer of is sent again by another one at once, with the same id", async () => {
  await plane.addWebhook();
  plane.receiver.answer(() => {});
  await plane.fail();
  const stopped = startOther();
  void stopped.deliver();
  await until(() => plane.receiver.received.length === 1);
  const before = performance.now();
  await stopped.stop();
  expect(performance.now() - before).toBeLessThan(timeLimit(2_000));
  expect(await plane.listDeliveries()).toMatchObject([{ state: "waiting" }]);
  plane.receiver.answer(204);
  await plane.deliveries.deliver();
  expect(await plane.listDeliveries()).toMatchObject([{ state: "delivered" }]);
  const [first, second] = plane.receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(second).toBe(first ?? "none");
});

test("receivers that hang take no place from those that answer", async () => {
  const patient = await openWebhookPlane({}, { timeouts: { connect: 5_000, answer: 100_000 } });
  const { receiver } = patient;
  for (let hanging = 0; hanging < 12; hanging++) {
    await patient.addWebhook({ name: `hanging ${hanging}`, url: `${receiver.url}/hanging` });
  }
  await patient.database.change((db) => db.updateTable("webhooks").set({ failures_in_a_row: 1 }).execute());
  await patient.addWebhook({ name: "good", url: `${receiver.url}/good` });
  receiver.answer((response, { path }) => path === "/good" && response.writeHead(204).end());
  for (let event = 0; event < 6; event++) await patient.fail();
  const delivering = patient.deliveries.deliver();
  // Sooner than any that hangs is given up.
  await until(async () => (await patient.listDeliveries({ state: "delivered" })).length === 6);
  expect(receiver.received.filter(({ path }) => path === "/hanging").length).toBeLessThanOrEqual(24);
  await patient.close();
  await delivering;
});

test("metrics count attempts by result, and say what waits and for how long it has been due", async () => {
  await plane.addWebhook();
  plane.receiver.answer(500);
  await plane.fail();
  await plane.deliveries.deliver();
  plane.receiver.answer(204);
  await plane.fail();
  await plane.deliveries.deliver();
  plane.clock.now += 30_000;
  const { text } = await plane.ask("/metrics", { headers: { Authorization: "Bearer of-the-scraper" } });
  const shown = text.split("\n").filter((line) => line.startsWith("holdfast_webhook_"));
  expect(shown.slice(0, 4)).toEqual([
    'holdfast_webhook_deliveries_total{result="delivered"} 1',
    'holdfast_webhook_deliveries_total{result="failed"} 1',
    'holdfast_webhook_deliveries_total{result="given_up"} 0',
    "holdfast_webhook_deliveries_waiting 1",
  ]);
  expect(Number(shown[4]?.split(" ")[1])).toBeWithin(23, 27);
});

test("deliveries are kept for 30 days, and those of a deleted webhook are removed", async () => {
  const { body: kept } = await plane.addWebhook({ name: "kept" });
  const { body: gone } = await plane.addWebhook({ name: "gone" });
  await plane.fail();
  plane.clock.now += 30 * 86_400_000;
  await plane.fail();
  const left = async () => {
    await plane.database.change((db) => removeOldDeliveries(db, plane.clock.now));
    const rows = await plane.database.snapshot((db) =>
      db.selectFrom("webhook_deliveries").select(["webhook_id", "created_at"]).orderBy("seq").execute(),
    );
    return rows.map(({ webhook_id }) => webhook_id);
  };
  expect(await left()).toEqual([kept.id, gone.id, kept.id, gone.id]);
  plane.clock.now += 1;
  expect(await left()).toEqual([kept.id, gone.id]);
  await plane.ask(`/webhooks/${gone.id}`, { method: "DELETE", token: plane.owner });
  expect(await left()).toEqual([kept.id]);
});

/** Makes a monitor fail and succeed by turns. */
async function turn(monitor_id: string, ...statuses: string[]): Promise<void> {
  for (const status of statuses) {
    const error = { code: "disk_full", message: "No space left on device", remedy: "" };
    await plane.report({ monitor_id, status, ...(status === "failed" ? { error } : {}) });
  }
}
const addMonitor = async (name: string): Promise<string> =>
  (await plane.ask("/monitors", { method: "POST", token: plane.owner, body: { name } })).body.id;

test("messages about one monitor arrive in order, each after the answer to the one before, and a slow one holds up no other", async () => {
  const [slow, quick] = [await addMonitor("slow"), await addMonitor("quick")];
  await plane.addWebhook({ events: ["monitor.down", "monitor.up"] });
  const answered: string[] = [];
  const overlaps: string[] = [];
  const open = new Set<string>();
  plane.receiver.answer((response, { body }) => {
    const { type, data } = JSON.parse(body);
    const { name } = data.monitor;
    overlaps.push(...[...open].filter((one) => one === name));
    open.add(name);
    setTimeout(
      () => {
        open.delete(name);
        answered.push(`${name} ${type}`);
        response.writeHead(204).end();
      },
      name === "slow" ? 800 : 1,
    );
  });
  await turn(slow, "failed", "completed", "failed", "completed");
  await turn(quick, "failed", "completed", "failed", "completed");
  const clock = setInterval(() => {
    plane.clock.now += 100;
  }, 10);
  for (let other = 0; other < 3; other++) startOther(10);
  await until(() => answered.length === 8);
  clearInterval(clock);
  const typesOf = (name: string) => answered.filter((one) => one.startsWith(name)).map((one) => one.split(" ")[1]);
  const inOrder = ["monitor.down", "monitor.up", "monitor.down", "monitor.up"];
  expect([typesOf("slow"), typesOf("quick"), overlaps]).toEqual([inOrder, inOrder, []]);
  // All of the quick one were answered while the second message of the slow one waited for its answer.
  expect(answered.lastIndexOf("quick monitor.up")).toBeLessThan(answered.lastIndexOf("slow monitor.down"));
}, 60_000);

test("a message waits for the first attempt of the one before it, not for its retries", async () => {
  const monitor = await addMonitor("Nightly");
  await plane.addWebhook({ events: ["monitor.down", "monitor.up"] });
  plane.receiver.answer((response, _, index) => response.writeHead(index === 0 ? 500 : 204).end());
  await turn(monitor, "failed", "completed");
  await plane.deliveries.deliver();
  plane.clock.now += 10_000;
  await plane.deliveries.deliver();
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual([
    "monitor.down",
    "monitor.up",
    "monitor.down",
  ]);
});

test("the messages of one task arrive in order, also when it names what it protects only later", async () => {
  await plane.addWebhook({ events: ["task.started", "task.completed"] });
  const { body: task } = await plane.report({});
  await plane.update(task.id, { status: "completed", primary_entity: { type: "host", value: "web-1" } });
  const held: (() => void)[] = [];
  plane.receiver.answer((response) => held.push(() => response.writeHead(204).end()));
  const delivering = plane.deliveries.deliver();
  await until(() => held.length === 1);
  const other = startOther();
  await other.deliver();
  await Bun.sleep(50);
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["task.started"]);
  plane.receiver.answer(204);
  for (const answer of held) answer();
  await delivering;
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(["task.started", "task.completed"]);
});
