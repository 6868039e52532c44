import { afterEach, beforeEach, expect, test } from "bun:test";
import { decodeJwt } from "jose";
import { openPlane, type Plane, root } from "../harness";

const day = 86_400_000;
let plane: Plane;
beforeEach(async () => {
  plane = await openPlane();
});
afterEach(() => plane.close());

const renew = (token: string, body: object = {}) => plane.ask("/api-tokens/renew", { method: "POST", token, body });
const status = async (token: string) => (await plane.ask("/caller", { token })).status;

test("T9: a service token renews itself with the same role, unit and length of life, and gains nothing else", async () => {
  const unit = await plane.addUnit("North");
  const old = await plane.serviceToken("reporter", unit, 90 * day);
  plane.clock.now += 80 * day;
  const { status: done, body } = await renew(old.token);
  expect([done, body]).toMatchObject([
    201,
    {
      name: "reporter token",
      kind: "service",
      organizational_unit_id: unit,
      role_id: await plane.roleId("reporter"),
      revoked_timestamp: null,
    },
  ]);
  const claims = decodeJwt(body.token);
  expect([claims.ou, (claims.exp ?? 0) - (claims.iat ?? 0)]).toEqual([unit, 90 * 86_400]);
  const permissionsOf = async (token: string) => (await plane.ask("/caller", { token })).body.permissions;
  expect(await permissionsOf(body.token)).toEqual(await permissionsOf(old.token));
  plane.clock.now += 7 * day;
  expect([await status(old.token), await status(body.token)]).toEqual([401, 200]);
});

test("an overlap can be shorter, and none ends the old token at once", async () => {
  const first = await plane.serviceToken("reporter", root, 90 * day);
  plane.clock.now += day;
  const second = (await renew(first.token, { overlap_seconds: 60 })).body;
  plane.clock.now += 61_000;
  expect([await status(first.token), await status(second.token)]).toEqual([401, 200]);
  const third = (await renew(second.token, { overlap_seconds: 0 })).body;
  expect([await status(second.token), await status(third.token)]).toEqual([401, 200]);
});

test("T9: renewals end token_renewal_days after the token was given, and a rotation by somebody else restarts the period", async () => {
  await plane.close();
  plane = await openPlane({ token_renewal_days: "100" });
  const owner = await plane.serviceToken("owner", root, 700 * day);
  const first = await plane.serviceToken("reporter", root, 60 * day);
  plane.clock.now += 50 * day;
  const second = (await renew(first.token)).body;
  expect(Date.parse(second.expires_timestamp) - plane.clock.now).toBe(50 * day);
  plane.clock.now += 40 * day;
  const refused = await renew(second.token);
  expect([refused.status, refused.body.errors[0].error_message]).toEqual([
    409,
    "This token cannot renew itself any longer: the setting token_renewal_days limits for how long. Ask an administrator to rotate it, or for a new one.",
  ]);
  expect(await status(second.token)).toBe(200);
  const body = { expires_timestamp: new Date(plane.clock.now + 60 * day).toISOString() };
  const path = `/api-tokens/${second.id}/rotate`;
  const third = (await plane.ask(path, { method: "POST", token: owner.token, body })).body;
  plane.clock.now += 30 * day;
  expect((await renew(third.token)).status).toBe(201);
});

test("with token_renewal_days 0 no token renews itself", async () => {
  await plane.close();
  plane = await openPlane({ token_renewal_days: "0" });
  const { token } = await plane.serviceToken("reporter", root, 60 * day);
  plane.clock.now += day;
  expect((await renew(token)).status).toBe(409);
});

test("a renewal whose answer was lost can be repeated, and one whose token is in use cannot", async () => {
  const { token } = await plane.serviceToken("reporter", root, 90 * day);
  plane.clock.now += 80 * day;
  const lost = (await renew(token)).body;
  const again = (await renew(token)).body;
  expect([await status(lost.token), await status(again.token)]).toEqual([401, 200]);
  await plane.service.tokenUse.flush();
  const refused = await renew(token);
  expect([refused.status, refused.body.errors[0].error_message]).toEqual([
    409,
    "This token was replaced already. Use the new one.",
  ]);
  expect(await status(again.token)).toBe(200);
});

test("a token that an administrator has rotated does not take the new one away", async () => {
  const owner = await plane.serviceToken("owner", root, 200 * day);
  const { id, token } = await plane.serviceToken("reporter", root, 90 * day);
  const body = { overlap_seconds: 604_800 };
  const rotated = await plane.ask(`/api-tokens/${id}/rotate`, { method: "POST", token: owner.token, body });
  plane.clock.now += day;
  expect((await renew(token)).status).toBe(409);
  expect(await status(rotated.body.token)).toBe(200);
});

test("T4: people cannot renew tokens in this way, and discovery does not offer it to them", async () => {
  const userId = await plane.addUser({ roles: [{ role: "owner" }] });
  const personal = await plane.personalToken(userId, root, 90 * day);
  const service = await plane.serviceToken("reporter", root, 90 * day);
  const refused = await renew(personal.token);
  expect([refused.status, refused.body.errors[0].error_message]).toEqual([
    403,
    "Only a service token can do this, for itself. As a person, create a new token instead.",
  ]);
  const offers = async (token: string) => (await plane.ask("/", { token })).text.includes("renew-api-token");
  expect([await offers(personal.token), await offers(service.token)]).toEqual([false, true]);
});

test("a task that was begun with the old token is ended with the new one: both are the same holder", async () => {
  const { token } = await plane.serviceToken("reporter", root, 90 * day);
  const body = { category: "backup", type: "tar_create", status: "in_progress" };
  const { id } = (await plane.ask("/tasks", { method: "POST", token, body })).body;
  const renewed = (await renew(token)).body.token;
  const ended = await plane.ask(`/tasks/${id}`, { method: "PATCH", token: renewed, body: { status: "completed" } });
  expect(ended.status).toBe(200);
});
