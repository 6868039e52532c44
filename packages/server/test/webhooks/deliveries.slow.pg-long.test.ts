import { afterEach, beforeEach, expect, setSystemTime, test } from "bun:test";
import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { statusAnswer } from "./receiver";
import { openWebhookPlane, type WebhookPlane } from "./webhook-plane";

let plane: WebhookPlane;
beforeEach(async () => {
  plane = await openWebhookPlane();
});
afterEach(() => plane.close());

test("a failed task is sent, and Standard Webhooks' own library accepts the signature", async () => {
  const made = await plane.addWebhook();
  expect([made.status, made.text]).toMatchObject([201, expect.stringMatching(/"secret":"whsec_[A-Za-z0-9+/]{43}="/)]);
  const task = await plane.fail({ primary_entity: { type: "host", value: "web-1" } });
  await plane.deliveries.deliver();
  expect(plane.receiver.received).toHaveLength(1);
  const { path, headers = {}, body = "" } = plane.receiver.received[0] ?? {};
  const now = Math.floor(plane.clock.now / 1000);
  expect([path, headers["webhook-timestamp"], headers["content-type"]]).toEqual([
    "/hook",
    `${now}`,
    "application/json",
  ]);
  // The library compares the time with its own clock, which stands elsewhere than the test's.
  const verified = withClock(plane.clock.now, () => new Webhook(made.body.secret).verify(body, headers));
  expect(verified).toMatchObject({
    type: "task.failed",
    timestamp: new Date(plane.clock.now).toISOString(),
    data: {
      task: { id: task.body.id, status: "failed", outcome: "error", error: { code: "disk_full" } },
      monitor: null,
      organizational_unit: { id: "00000000-0000-0000-0000-000000000000" },
      base_url: "http://holdfast.test",
    },
  });
  const [delivery] = await plane.listDeliveries();
  expect(delivery).toMatchObject({
    event: "task.failed",
    task_id: task.body.id,
    state: "delivered",
    attempt_count: 1,
    attempts: [{ status: 204, reason: null }],
  });
  expect(headers["webhook-id"]).toBe(`msg_${delivery.id}`);
  const webhook = await plane.ask(made.headers.get("location") ?? "", { token: plane.owner });
  expect(webhook.body).toMatchObject({ failures_in_a_row: 0 });
  expect(webhook.body.last_success_timestamp).toBe(new Date(plane.clock.now).toISOString());
  expect(webhook.text).not.toContain("secret");
});

test("while a secret is rotated both sign, for a day", async () => {
  const made = await plane.addWebhook();
  const rotated = await plane.ask(`/webhooks/${made.body.id}/rotate`, { method: "POST", token: plane.owner });
  expect(rotated.status).toBe(200);
  await plane.fail();
  await plane.deliveries.deliver();
  plane.clock.now += 24 * 3_600_000 + 1;
  await plane.fail();
  await plane.deliveries.deliver();
  const accepts = (secret: string, index: number) => {
    const { headers = {}, body = "" } = plane.receiver.received[index] ?? {};
    const at = Number(headers["webhook-timestamp"]) * 1000;
    return withClock(at, () => {
      try {
        return new Webhook(secret).verify(body, headers) !== undefined;
      } catch {
        return false;
      }
    });
  };
  const both = [made.body.secret, rotated.body.secret];
  expect(both.map((secret) => accepts(secret, 0))).toEqual([true, true]);
  expect(both.map((secret) => accepts(secret, 1))).toEqual([false, true]);
});

test("what fails is tried on schedule with the same id, and given up after the tenth attempt", async () => {
  await plane.addWebhook();
  plane.receiver.answer(500);
  await plane.fail();
  const waits: number[] = [];
  await plane.deliveries.deliver();
  for (let attempt = 1; attempt < 10; attempt++) {
    const [delivery] = await plane.listDeliveries();
    const next = Date.parse(delivery.next_attempt_timestamp);
    waits.push((next - plane.clock.now) / 1000);
    plane.clock.now = next - 1;
    await plane.deliveries.deliver();
    plane.clock.now = next;
    await plane.deliveries.deliver();
  }
  const normal = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
  expect(waits.map((wait, index) => Math.abs(wait / (normal[index] ?? 0) - 1) <= 0.2)).toEqual(normal.map(() => true));
  expect(plane.receiver.received).toHaveLength(10);
  expect(new Set(plane.receiver.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  expect(await plane.listDeliveries()).toMatchObject([
    { state: "failed", attempt_count: 10, next_attempt_timestamp: null },
  ]);
});

test("Retry-After is kept to, up to a day", async () => {
  await plane.addWebhook();
  plane.receiver.answer(statusAnswer(429, { "Retry-After": "600" }));
  await plane.fail();
  await plane.deliveries.deliver();
  const waitOf = async () => {
    const [delivery] = await plane.listDeliveries();
    return (Date.parse(delivery.next_attempt_timestamp) - plane.clock.now) / 1000;
  };
  expect(await waitOf()).toBe(600);
  plane.receiver.answer(statusAnswer(503, { "Retry-After": "999999" }));
  plane.clock.now += 600_000;
  await plane.deliveries.deliver();
  expect(await waitOf()).toBe(86_400);
});

test("a redirect is a failure and is not followed, a receiver that hangs is left, and no body is waited for", async () => {
  const made = await plane.addWebhook();
  const elsewhere = `${plane.receiver.url}/elsewhere`;
  plane.receiver.answer(statusAnswer(302, { Location: elsewhere }));
  await plane.fail();
  await plane.deliveries.deliver();
  plane.receiver.answer(() => {});
  await plane.fail();
  await plane.deliveries.deliver();
  plane.receiver.answer((response) => response.writeHead(200).write("an endless answer"));
  await plane.fail();
  await plane.deliveries.deliver();
  const reasons = (await plane.listDeliveries()).map(({ state, attempts }) => [state, attempts[0]?.reason]);
  expect(reasons).toEqual([
    ["delivered", null],
    ["waiting", "There was no answer in time."],
    ["waiting", "The receiver answered 302: redirects are not followed."],
  ]);
  expect(plane.receiver.received.map(({ path }) => path)).toEqual(["/hook", "/hook", "/hook"]);
  expect((await plane.ask(`/webhooks/${made.body.id}`, { token: plane.owner })).body.failures_in_a_row).toBe(0);
});

test("410 switches the webhook off, with an audit event, and what waits is dropped", async () => {
  const made = await plane.addWebhook();
  plane.receiver.answer((response, _, index) => response.writeHead(index === 0 ? 500 : 410).end());
  await plane.fail();
  await plane.deliveries.deliver();
  await plane.fail();
  await plane.deliveries.deliver();
  const { body } = await plane.ask(`/webhooks/${made.body.id}`, { token: plane.owner });
  expect(body).toMatchObject({ is_enabled: false, disabled_reason: expect.stringContaining("410") });
  expect((await plane.listDeliveries()).map(({ state }) => state)).toEqual(["failed", "dropped"]);
  const events = await plane.ask("/audit-events", { token: plane.owner });
  expect(events.body._embedded.items[0]).toMatchObject({
    operation: "disable-webhook",
    actor: { kind: "system" },
    object: { type: "webhook", id: made.body.id },
  });
  await plane.fail();
  expect(await plane.listDeliveries()).toHaveLength(2);
});

test("it is switched off after five days of failures, and no earlier", async () => {
  const made = await plane.addWebhook();
  const isEnabled = async () => (await plane.ask(`/webhooks/${made.body.id}`, { token: plane.owner })).body.is_enabled;
  plane.receiver.answer(500);
  for (let event = 0; event < 25; event++) await plane.fail();
  await plane.deliveries.deliver();
  expect(await isEnabled()).toBe(true);
  plane.clock.now += 5 * 86_400_000 - 1;
  await plane.fail();
  await plane.deliveries.deliver();
  expect(await isEnabled()).toBe(true);
  plane.clock.now += 2;
  await plane.fail();
  await plane.deliveries.deliver();
  expect(await isEnabled()).toBe(false);
  const on = await plane.ask(`/webhooks/${made.body.id}`, {
    method: "PATCH",
    token: plane.owner,
    body: { is_enabled: true },
  });
  expect(on.body).toMatchObject({ is_enabled: true, disabled_reason: null, failures_in_a_row: 0 });
});

test("first attempts of one webhook leave in the order of events, at most four at a time", async () => {
  await plane.addWebhook();
  const waiting: ServerResponse[] = [];
  let max = 0;
  // None is answered before there are four, however slowly they come, and a fifth has a moment to come as well.
  plane.receiver.answer((response) => {
    waiting.push(response);
    max = Math.max(max, waiting.length);
    const isFull = waiting.length === 4;
    setTimeout(() => isFull && waiting.splice(0).map((one) => one.writeHead(200).end()), 20);
  });
  const ids: string[] = [];
  for (let event = 0; event < 20; event++) ids.push((await plane.fail()).body.id);
  await plane.deliveries.deliver();
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).data.task.id)).toEqual(ids);
  expect(max).toBe(4);
});

test("a delivery is sent again when asked for, but not while it is being sent", async () => {
  await plane.addWebhook();
  await plane.fail();
  await plane.deliveries.deliver();
  const [{ id }] = await plane.listDeliveries();
  const retry = () => plane.ask(`/webhook-deliveries/${id}/retry`, { method: "POST", token: plane.owner });
  expect(await retry()).toMatchObject({ status: 200, body: { id, state: "waiting" } });
  plane.receiver.answer(() => {});
  const delivering = plane.deliveries.deliver();
  while (plane.receiver.received.length < 2) await Bun.sleep(5);
  expect((await retry()).status).toBe(409);
  await delivering;
  const sent = plane.receiver.received.map(({ headers }) => headers["webhook-id"]);
  expect(sent).toEqual([`msg_${id}`, `msg_${id}`]);
});

function withClock<Result>(now: number, act: () => Result): Result {
  setSystemTime(now);
  try {
    return act();
  } finally {
    setSystemTime();
  }
}
