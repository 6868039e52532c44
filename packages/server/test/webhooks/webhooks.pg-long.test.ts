import { afterAll, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { readWhole } from "../folder-database";
import type { Ask } from "../harness";
import { openWebhookPlane } from "./webhook-plane";

const plane = await openWebhookPlane();
afterAll(plane.close);
const { owner: token, receiver } = plane;
const ask = (path: string, method = "GET", body?: unknown, more: Ask = {}) =>
  plane.ask(path, { method, token, ...(body === undefined ? {} : { body }), ...more });
const errorsOf = (answered: { status: number; body: { errors?: { field?: string }[] } }) => [
  answered.status,
  ...(answered.body.errors ?? []).map(({ field }) => field),
];

test("a webhook is made, read, listed, changed and deleted, and its secrets are shown once or never", async () => {
  const authorization = "Bearer very-secret-0123456789";
  const made = await plane.addWebhook({ name: "First", authorization, filter: '{"category":"backup"}' });
  expect(made.status).toBe(201);
  const { secret, ...shown } = made.body;
  expect(shown).toEqual({
    id: expect.any(String),
    name: "First",
    organizational_unit_id: "00000000-0000-0000-0000-000000000000",
    kind: "standard",
    url: `${receiver.url}/hook`,
    has_authorization: true,
    recipient_user_ids: [],
    events: ["task.failed"],
    filter: { category: { $eq: "backup" } },
    remind_after: "never",
    is_enabled: true,
    disabled_reason: null,
    last_success_timestamp: null,
    failures_in_a_row: 0,
    created_timestamp: new Date(plane.clock.now).toISOString(),
    _links: { self: { href: `/webhooks/${shown.id}`, templated: false, type: "get" } },
  });
  const path = `/webhooks/${shown.id}`;
  const read = await ask(path);
  expect(read.body).toEqual(shown);
  const changed = await ask(path, "PATCH", {
    name: "Second",
    filter: null,
    authorization: null,
    events: ["task.lost"],
  });
  expect(changed.body).toMatchObject({ name: "Second", filter: null, has_authorization: false, events: ["task.lost"] });
  expect(
    (await ask(path, "PATCH", { name: "Third" }, { headers: { "If-Match": read.headers.get("etag") ?? "" } })).status,
  ).toBe(412);
  const listed = await ask(`/webhooks?filter=${encodeURIComponent('{"name":{"$begins_with":"sec"}}')}`);
  expect(listed.body._embedded.items).toEqual([changed.body]);
  await ask(`${path}/rotate`, "POST");
  expect((await ask(path, "DELETE")).status).toBe(204);
  expect((await ask(path)).status).toBe(404);
  const { body: trail } = await ask("/audit-events");
  const operations = trail._embedded.items.map(({ operation }: { operation: string }) => operation);
  expect(operations.slice(0, 4)).toEqual([
    "delete-webhook",
    "rotate-webhook-secret",
    "update-webhook",
    "create-webhook",
  ]);
  const whole = (await readWhole(plane.databaseUrl)) + plane.logged.join("") + JSON.stringify(trail);
  expect([secret, secret.slice(6), authorization].filter((text) => whole.includes(text))).toEqual([]);
  // Who knows the path of a chat's address can write there, so the audit trail has none.
  expect(JSON.stringify(trail)).not.toContain("/hook");
});

test("what is wrong with a body is said field by field", async () => {
  const wrong = async (body: object) => errorsOf(await plane.addWebhook(body));
  expect(await wrong({ events: [] })).toEqual([422, "/events"]);
  expect(await wrong({ events: ["task.exploded"] })).toEqual([422, "/events/0"]);
  expect(await wrong({ kind: "carrier_pigeon" })).toEqual([422, "/kind"]);
  expect(await wrong({ remind_after: "hourly" })).toEqual([422, "/remind_after"]);
  expect(await wrong({ url: undefined })).toEqual([422, "/url"]);
  expect(await wrong({ filter: { colour: "red" } })).toEqual([422, "/filter"]);
  expect(await wrong({ filter: "{" })).toEqual([422, "/filter"]);
  expect(await wrong({ filter: { status: { $like: "f" } } })).toEqual([422, "/filter"]);
  expect(await wrong({ filter: 5 })).toEqual([422, "/filter"]);
  expect(await wrong({ secret: "whsec_mine" })).toEqual([422, "/secret"]);
  expect(await wrong({ authorization: "two\r\nlines" })).toEqual([422, "/authorization"]);
  expect(await wrong({ kind: "slack", authorization: "Bearer x" })).toEqual([422, "/authorization"]);
  expect(await wrong({ recipient_user_ids: ["00000000-0000-4000-8000-000000000001"] })).toEqual([
    422,
    "/recipient_user_ids",
  ]);
  expect(await wrong({ name: "", events: [] })).toEqual([422, "/name", "/events"]);
});

test("an address of another host needs its authorization again, so that none is led elsewhere", async () => {
  const made = await plane.addWebhook({ authorization: "Bearer of-the-first-host" });
  const path = `/webhooks/${made.body.id}`;
  const other = "https://8.8.8.8/hook";
  expect(errorsOf(await ask(path, "PATCH", { url: other }))).toEqual([422, "/authorization"]);
  expect((await ask(path, "PATCH", { url: `${receiver.url}/elsewhere` })).status).toBe(200);
  expect((await ask(path, "PATCH", { url: other, authorization: null })).status).toBe(200);
  expect((await ask(path, "DELETE")).status).toBe(204);
});

test("writing needs tasks:read beside webhooks:write, in the unit of the webhook", async () => {
  const unit = await plane.addUnit("Berlin");
  const made = await plane.addWebhook({ organizational_unit_id: unit });
  const roleWith = async (permissions: string[]) => {
    const role = await ask("/roles", "POST", { name: permissions.join(" "), permissions });
    const body = { name: "helper", kind: "service", role_id: role.body.id, organizational_unit_id: unit };
    return (await ask("/api-tokens", "POST", body)).body.token;
  };
  const writer = await roleWith(["webhooks:write", "webhooks:read"]);
  const both = await roleWith(["webhooks:write", "webhooks:read", "tasks:read"]);
  const path = `/webhooks/${made.body.id}`;
  const tryAll = async (caller: string) => [
    (await plane.addWebhook({}, { token: caller })).status,
    (await ask(path, "PATCH", { name: "Other" }, { token: caller })).status,
    (await ask(`${path}/test`, "POST", undefined, { token: caller })).status,
    (await ask(path, "GET", undefined, { token: caller })).status,
  ];
  expect(await tryAll(writer)).toEqual([403, 403, 403, 200]);
  expect(await tryAll(both)).toEqual([201, 200, 200, 200]);
  const viewer = (await plane.serviceToken("operator")).token;
  expect(await tryAll(viewer)).toEqual([403, 403, 403, 403]);
  const discovered = async (caller: string) =>
    Object.keys((await ask("/", "GET", undefined, { token: caller })).body.webhooks?.v1 ?? {}).length;
  expect([await discovered(viewer), await discovered(writer), await discovered(both)]).toEqual([0, 2, 7]);
  // The other unit's webhooks are not there for them.
  const elsewhere = await plane.addWebhook();
  const hidden = `/webhooks/${elsewhere.body.id}`;
  expect((await ask(hidden, "GET", undefined, { token: both })).status).toBe(404);
  expect((await ask(`${hidden}/test`, "POST", undefined, { token: both })).status).toBe(404);
});

test("a test is sent at once and answered with how it went", async () => {
  const made = await plane.addWebhook({ name: "Tried" });
  receiver.received.length = 0;
  const headers = { "Idempotency-Key": "the-same-test" };
  const test = () => ask(`/webhooks/${made.body.id}/test`, "POST", undefined, { headers });
  const good = await test();
  expect(good).toMatchObject({
    status: 200,
    body: {
      event: "webhook.test",
      task_id: null,
      state: "delivered",
      attempts: [{ status: 204, reason: null, duration_ms: expect.any(Number) }],
    },
  });
  expect((await test()).body).toEqual(good.body);
  expect(receiver.received).toHaveLength(1);
  const { headers: sent = {}, body = "" } = receiver.received[0] ?? {};
  expect(sent["webhook-id"]).toBe(`msg_${good.body.id}`);
  expect(JSON.parse(body)).toMatchObject({ type: "webhook.test", data: { task: null } });
  expect(() => new Webhook("whsec_AAAA").verify(body, sent)).toThrow();
  receiver.answer(503);
  const bad = await ask(`/webhooks/${made.body.id}/test`, "POST");
  receiver.answer(204);
  expect(bad.body).toMatchObject({ state: "failed", attempts: [{ status: 503 }], next_attempt_timestamp: null });
});

test("a webhook is tested at most ten times in a minute", async () => {
  const made = await plane.addWebhook();
  const statuses: number[] = [];
  for (let time = 0; time < 12; time++) {
    statuses.push((await ask(`/webhooks/${made.body.id}/test`, "POST")).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  plane.clock.now += 60_001;
  receiver.answer((response) => setTimeout(() => response.writeHead(204).end(), 200));
  const atOnce = await Promise.all([1, 2, 3].map(() => ask(`/webhooks/${made.body.id}/test`, "POST")));
  expect(atOnce.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  receiver.answer(204);
});

test("a unit has at most a hundred webhooks", async () => {
  const unit = await plane.addUnit("Crowded");
  const statuses = new Map<number, number>();
  for (let one = 0; one < 101; one++) {
    const { status } = await plane.addWebhook({ organizational_unit_id: unit });
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  expect([...statuses]).toEqual([
    [201, 100],
    [409, 1],
  ]);
});

test("deliveries are listed newest first and found by what they are", async () => {
  const unit = await plane.addUnit("Listed");
  const made = await plane.addWebhook({ organizational_unit_id: unit, events: ["task.failed", "task.completed"] });
  const failed = await plane.fail({ organizational_unit_id: unit });
  plane.clock.now += 1_000;
  await plane.report({ organizational_unit_id: unit, status: "completed" });
  const of = async (filter: object) =>
    (await plane.listDeliveries({ webhook_id: made.body.id, ...filter })).map(({ event }) => event);
  expect(await of({})).toEqual(["task.completed", "task.failed"]);
  expect(await of({ event: "task.failed" })).toEqual(["task.failed"]);
  expect(await of({ task_id: failed.body.id })).toEqual(["task.failed"]);
  expect(await of({ state: { $neq: "waiting" } })).toEqual([]);
  const since = new Date(plane.clock.now).toISOString();
  expect(await of({ created_timestamp: { $gte: since } })).toEqual(["task.completed"]);
  await plane.deliveries.deliver();
  expect(await of({ state: "delivered" })).toEqual(["task.completed", "task.failed"]);
  // Deliveries of a deleted webhook go with it, and maintenance removes the rest.
  await ask(`/webhooks/${made.body.id}`, "DELETE");
  expect(await of({})).toEqual([]);
});
