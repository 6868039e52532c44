import { afterAll, expect, test } from "bun:test";
import { type Answered, openPlane, type Plane, root } from "../harness";

const plane = await openPlane();
afterAll(plane.close);

const ownerOf = async ({ serviceToken }: Plane) => (await serviceToken("owner")).token;
const kidOf = (token: string): string => JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
const idOf = (token: string): string => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()).jti;
const rotate = (token: string, at = plane) => at.ask("/keys", { method: "POST", token });
const retire = (kid: string, token: string, at = plane) => at.ask(`/keys/${kid}`, { method: "DELETE", token });
const statusOf = ({ status, body }: Answered) => [status, body?.errors?.[0].error_code];

test("rotating answers with the new key, which signs from then on, and is listed first", async () => {
  const token = await ownerOf(plane);
  const first = kidOf(token);
  plane.clock.now += 1000;
  const { status, headers, body, text } = await rotate(token);
  expect(status).toBe(201);
  const second = kidOf(await ownerOf(plane));
  expect(second).toMatch(/^hf-[\w-]{12}$/);
  expect(second).not.toBe(first);
  const [x] = (await plane.ask("/.well-known/jwks.json")).body.keys.flatMap((key: { kid: string; x: string }) =>
    key.kid === second ? [key.x] : [],
  );
  expect(x).toMatch(/^[\w-]{43}$/);
  expect(body).toEqual({
    id: second,
    is_signing: true,
    public_key: { kty: "OKP", crv: "Ed25519", x, kid: second, alg: "EdDSA", use: "sig" },
    created_timestamp: new Date(plane.clock.now).toISOString(),
    replaced_timestamp: null,
    expires_timestamp: null,
    _links: { self: { href: `/keys/${second}`, templated: false, type: "get" } },
  });
  expect(headers.get("location")).toBe(`/keys/${second}`);
  expect((await plane.ask(`/keys/${second}`, { token })).text).toBe(text);
  const list = await plane.ask("/keys", { token });
  expect(list.body._embedded.items.map((key: { id: string }) => key.id)).toEqual([second, first]);
  expect(list.body._embedded.items[1]).toMatchObject({
    is_signing: false,
    replaced_timestamp: new Date(plane.clock.now).toISOString(),
  });
  expect(list.text).not.toMatch(/"d":|sealed/);
  expect((await plane.ask("/keys", { token })).status).toBe(200);
});

test("T25: a retired key's tokens are refused by the next request in every process, and others stay good", async () => {
  const old = await ownerOf(plane);
  await rotate(old);
  const fresh = await ownerOf(plane);
  const other = await openPlane({}, plane.folder);
  expect([
    (await plane.ask("/tasks", { token: old })).status,
    (await other.ask("/tasks", { token: old })).status,
  ]).toEqual([200, 200]);
  expect((await retire(kidOf(old), fresh)).status).toBe(204);
  for (const one of [plane, other]) {
    expect(statusOf(await one.ask("/tasks", { token: old }))).toEqual([401, 40102]);
    expect((await one.ask("/tasks", { token: fresh })).status).toBe(200);
    const shown = (await one.ask("/.well-known/jwks.json")).body.keys.map((key: { kid: string }) => key.kid);
    expect(shown).not.toContain(kidOf(old));
  }
  expect(statusOf(await retire(kidOf(old), fresh))).toEqual([404, 40402]);
  const shown = await plane.ask("/api-tokens?limit=1000", { token: fresh });
  const states = shown.body._embedded.items.map((one: { id: string; revoked_timestamp: string | null }) => [
    one.id,
    one.revoked_timestamp !== null,
  ]);
  expect(states).toContainEqual([idOf(old), true]);
  expect(states).toContainEqual([idOf(fresh), false]);
  await other.database.close();
});

test("T25: retiring the key that signs makes a new one at once, and the audit trail tells which, and each unit which of its tokens have ended", async () => {
  const own = await openPlane();
  const token = await ownerOf(own);
  const below = await own.addUnit("Below");
  const other = await own.serviceToken("viewer", below);
  expect((await retire(kidOf(token), token, own)).status).toBe(204);
  expect((await own.ask("/keys", { token })).status).toBe(401);
  const next = await ownerOf(own);
  expect(kidOf(next)).not.toBe(kidOf(token));
  const { body } = await own.ask("/audit-events", { token: next });
  const told = { operation: "retire-key", object: { type: "key", id: kidOf(token) }, result: "done" };
  expect(body._embedded.items.toReversed()).toMatchObject([
    {
      ...told,
      organizational_unit_id: root,
      before: { id: kidOf(token), is_signing: true },
      after: { signs_from_now_on: kidOf(next), revoked_api_tokens: 2 },
    },
    { ...told, organizational_unit_id: root, before: null, after: { revoked_api_token_ids: [idOf(token)] } },
    { ...told, organizational_unit_id: below, before: null, after: { revoked_api_token_ids: [other.id] } },
  ]);
  await own.close();
});

test("T25: rotating over the API under load fails no request", async () => {
  const token = await ownerOf(plane);
  const tokens = [token];
  const statuses: number[] = [];
  let isRotating = true;
  const load = Array.from({ length: 4 }, async (_, client) => {
    for (let round = client; isRotating; round++) {
      statuses.push((await plane.ask("/tasks?limit=1", { token: tokens[round % tokens.length] ?? token })).status);
      await Bun.sleep(0);
    }
  });
  for (let round = 0; round < 15; round++) {
    plane.clock.now += 1;
    expect((await rotate(token)).status).toBe(201);
    tokens.push(await ownerOf(plane));
    await Bun.sleep(5);
  }
  isRotating = false;
  await Promise.all(load);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(50);
});

test("keys are the whole control plane's: a role below the root is not enough, and neither is an admin's", async () => {
  const below = await plane.addUnit("Below");
  const kid = kidOf(await ownerOf(plane));
  for (const { token } of [await plane.serviceToken("owner", below), await plane.serviceToken("admin")]) {
    const answers = [
      await plane.ask("/keys", { token }),
      await plane.ask(`/keys/${kid}`, { token }),
      await rotate(token),
      await retire(kid, token),
      await retire("hf-absent", token),
    ];
    for (const answer of answers) {
      expect(statusOf(answer)).toEqual([403, 40302]);
      expect(answer.body.errors[0].error_message).toContain("in the root");
    }
  }
  const above = await ownerOf(plane);
  expect((await plane.ask("/keys", { token: above, unit: below })).status).toBe(200);
});

test("a stale If-Match retires nothing", async () => {
  const token = await ownerOf(plane);
  const answer = await plane.ask(`/keys/${kidOf(token)}`, { method: "DELETE", token, headers: { "If-Match": '"x"' } });
  expect(statusOf(answer)).toEqual([412, 41201]);
  expect((await plane.ask("/keys", { token })).status).toBe(200);
});
