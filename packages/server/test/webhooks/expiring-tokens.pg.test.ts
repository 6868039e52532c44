import { afterEach, beforeEach, expect, test } from "bun:test";
import { announceExpiringTokens } from "../../src/resources/webhooks/announce-expiring-tokens";
import { openPlane, root } from "../harness";
import { openMetrics, scrape } from "../metrics/scrape";
import { openWebhookPlane, type WebhookPlane } from "./webhook-plane";

const day = 86_400_000;
let plane: WebhookPlane;
beforeEach(async () => {
  plane = await openWebhookPlane();
});
afterEach(() => plane.close());

const events = ["token.expiring"];
const announce = async (from: Pick<WebhookPlane, "database" | "service"> = plane) =>
  (await from.database.change((db) => announceExpiringTokens(db, from.service, plane.clock.now))).map(({ id }) => id);
const inDays = (days: number) => {
  plane.clock.now += days * day;
};

test("a token is announced 14, 7 and 1 days before it expires, each time once, whatever process looks", async () => {
  await plane.addWebhook({ events });
  const { id } = await plane.serviceToken("reporter", root, 30 * day);
  const other = await openPlane({}, plane.folder);
  const seen: string[][] = [await announce()];
  for (const days of [15, 1, 1, 6, 5, 1, 0.5]) {
    inDays(days);
    seen.push(await announce(), await announce({ ...other, service: plane.service }), await announce());
  }
  const once = [[id], [], []];
  const none = [[], [], []];
  expect(seen).toEqual([[], ...none, ...once, ...none, ...once, ...none, ...once, ...none]);
  await other.database.close();
  await plane.deliveries.deliver();
  const sent = plane.receiver.received.map(({ body }) => JSON.parse(body));
  expect(sent.map(({ data }) => data.token.days_left)).toEqual([14, 7, 1]);
  expect(sent[0]).toEqual({
    type: "token.expiring",
    timestamp: expect.stringMatching(/Z$/),
    data: {
      task: null,
      monitor: null,
      organizational_unit: { id: root, name: "Root" },
      token: {
        id,
        name: "reporter token",
        kind: "service",
        user_id: null,
        role_id: await plane.roleId("reporter"),
        expires_timestamp: expect.stringMatching(/Z$/),
        last_used_timestamp: null,
        days_left: 14,
      },
      base_url: "http://holdfast.test",
    },
  });
});

test("a token is announced even where no webhook listens, and a service that was down says only how few days are left", async () => {
  const { id } = await plane.serviceToken("reporter", root, 30 * day);
  inDays(25);
  expect([await announce(), await announce()]).toEqual([[id], []]);
  await plane.addWebhook({ events });
  await plane.deliveries.deliver();
  expect(plane.receiver.received).toEqual([]);
  inDays(4.5);
  expect(await announce()).toEqual([id]);
});

test("a short-lived token is announced only for what is shorter than its life", async () => {
  const { id } = await plane.serviceToken("reporter", root, 5 * day);
  await plane.serviceToken("reporter", root, day);
  expect(await announce()).toEqual([]);
  inDays(4.5);
  expect(await announce()).toEqual([id]);
});

test("a token that was revoked or rotated, is of a disabled user, or was issued for another address is not announced", async () => {
  const revoked = await plane.serviceToken("reporter", root, 20 * day);
  const rotated = await plane.serviceToken("reporter", root, 20 * day);
  const foreign = await plane.serviceToken("reporter", root, 20 * day);
  const [active, disabled, without] = [
    await plane.addUser({ roles: [{ role: "viewer" }] }),
    await plane.addUser({ roles: [{ role: "viewer" }], isEnabled: false }),
    await plane.addUser({ roles: [] }),
  ];
  const personal = await plane.personalToken(active, root, 20 * day);
  await plane.personalToken(disabled, root, 20 * day);
  await plane.personalToken(without, root, 20 * day);
  const { owner } = plane;
  await plane.ask(`/api-tokens/${revoked.id}`, { method: "DELETE", token: owner });
  const body = { overlap_seconds: 604_800, expires_timestamp: new Date(plane.clock.now + 50 * day).toISOString() };
  expect((await plane.ask(`/api-tokens/${rotated.id}/rotate`, { method: "POST", token: owner, body })).status).toBe(
    201,
  );
  await plane.database.change((db) =>
    db.updateTable("api_tokens").set({ base_url: "http://old.test" }).where("id", "=", foreign.id).execute(),
  );
  inDays(6.5);
  expect(await announce()).toEqual([personal.id]);
});

test("people read which token expires, when, and what to do", async () => {
  await plane.addWebhook({ kind: "slack", events });
  await plane.serviceToken("reporter", root, 30 * day);
  inDays(29.5);
  await announce();
  await plane.deliveries.deliver();
  expect(JSON.parse(plane.receiver.received[0]?.body ?? "").text.split("\n")).toEqual([
    "*The API token reporter token expires in 1 day*",
    "Expires: 2026-12-15 12:00:00 UTC",
    "Last used: never",
    "What to do: Run holdfast token renew --token-file &lt;file&gt; where it is used, or backups there with --renew. If nothing uses it any more, revoke it.",
    "Organizational unit: Root",
    "http://holdfast.test/console/administration/api-tokens",
  ]);
});

test("T8: a webhook hears of the tokens of its unit and below, and needs the permission to read them", async () => {
  const [north, south] = [await plane.addUnit("North"), await plane.addUnit("South")];
  const { token: admin } = await plane.serviceToken("admin", north, 60 * day);
  expect((await plane.addWebhook({ events }, { token: admin, unit: north })).status).toBe(201);
  const permissions = ["webhooks:read", "webhooks:write", "tasks:read"];
  const role = await plane.ask("/roles", { method: "POST", token: plane.owner, body: { name: "Hooks", permissions } });
  const made = { name: "hooks", kind: "service", role_id: role.body.id };
  const { token } = (await plane.ask("/api-tokens", { method: "POST", token: plane.owner, body: made })).body;
  const refused = await plane.addWebhook({ events }, { token });
  expect([refused.status, refused.body.errors[0].error_message]).toEqual([
    403,
    "The event token.expiring needs the permission api-tokens:read in the organizational unit. Leave it out, or ask an administrator for a role that has it.",
  ]);
  expect((await plane.addWebhook({}, { token })).status).toBe(201);
  const below = await plane.serviceToken("reporter", north, 20 * day);
  await plane.serviceToken("reporter", south, 20 * day);
  inDays(6.5);
  await announce();
  await plane.deliveries.deliver();
  expect(plane.receiver.received.map(({ body }) => JSON.parse(body).data.token.id)).toEqual([below.id]);
});

test("metrics count the tokens that expire soon, and say when the next one does", async () => {
  await plane.close();
  plane = await openWebhookPlane(openMetrics);
  const short = await plane.serviceToken("reporter", root, 20 * day);
  const expiry = (plane.clock.now + 20 * day) / 1000;
  const figures = async () => {
    const all = await scrape(plane);
    return [all.get("holdfast_tokens_expiring"), all.get("holdfast_token_next_expiry_timestamp_seconds")];
  };
  expect(await figures()).toEqual([0, expiry]);
  inDays(10);
  expect(await figures()).toEqual([1, expiry]);
  await plane.ask(`/api-tokens/${short.id}`, { method: "DELETE", token: plane.owner });
  expect((await figures())[0]).toBe(0);
});
