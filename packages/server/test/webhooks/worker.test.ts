import { afterEach, beforeEach, expect, test } from "bun:test";
import { removeOldDeliveries } from "../../src/resources/webhooks/deliveries/delivery-store";
import { startWebhookDeliveries, type WebhookDeliveries } from "../../src/workers/deliver-webhooks";
import { patiently } from "../runs";
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

/** What another process of the same service does. */
function startOther(every = 1_000_000_000): WebhookDeliveries {
  const other = startWebhookDeliveries({ ...plane.service, every, patience: 100 });
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
  let most = 0;
  plane.receiver.answer((response) => {
    atOnce += 1;
    most = Math.max(most, atOnce);
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
  expect(most).toBeLessThanOrEqual(4);
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
  expect(performance.now() - before).toBeLessThan(patiently(2_000));
  expect(await plane.listDeliveries()).toMatchObject([{ state: "waiting" }]);
  plane.receiver.answer(204);
  await plane.deliveries.deliver();
  expect(await plane.listDeliveries()).toMatchObject([{ state: "delivered" }]);
  const [first, second] = plane.receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(second).toBe(first ?? "none");
});

test("receivers that hang take no place from those that answer", async () => {
  const patient = await openWebhookPlane({}, { patience: { connect: 5_000, answer: 15_000 } });
  const { receiver } = patient;
  for (let hanging = 0; hanging < 12; hanging++) {
    await patient.addWebhook({ name: `hanging ${hanging}`, url: `${receiver.url}/hanging` });
  }
  await patient.database.change((db) => db.updateTable("webhooks").set({ failures_in_a_row: 1 }).execute());
  await patient.addWebhook({ name: "good", url: `${receiver.url}/good` });
  receiver.answer((response, { path }) => path === "/good" && response.writeHead(204).end());
  for (let event = 0; event < 6; event++) await patient.fail();
  const begun = performance.now();
  const delivering = patient.deliveries.deliver();
  await until(() => receiver.received.filter(({ path }) => path === "/good").length === 6);
  // Sooner than any that hangs is given up.
  expect(performance.now() - begun).toBeLessThan(patiently(10_000));
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
