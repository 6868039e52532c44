import { afterAll, describe, expect, test } from "bun:test";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { readToken } from "../../src/access/tokens/token-format";
import { readWhole } from "../folder-database";
import { openPlane, root, unitHeaderName } from "../harness";
import { absent, at, codeOf, day, openTokenPlane, personal, service } from "./token-plane";

const plane = await openTokenPlane();
afterAll(() => plane.close());
const { units, person, create, rename, rotate, revoke } = plane;

describe("making one", () => {
  test("a person makes a personal token without any special role, and it is shown once", async () => {
    const { userId, token } = await person("viewer", units.berlin);
    const made = await create({ token }, personal);
    const { token: shown, ...item } = made.body;
    const { jti: id } = readToken(shown)?.claims ?? {};
    expect({ status: made.status, location: made.headers.get("location"), item }).toEqual({
      status: 201,
      location: `/api-tokens/${id}`,
      item: {
        id,
        name: "laptop",
        kind: "personal",
        organizational_unit_id: units.berlin,
        user_id: userId,
        role_id: null,
        created_by: userId,
        created_timestamp: at(plane.clock.now),
        expires_timestamp: at(plane.clock.now + 30 * day),
        revoked_timestamp: null,
        base_url: "http://holdfast.test",
        is_foreign: false,
        last_used_timestamp: null,
        last_used_address: null,
        last_used_client: null,
        _links: { self: { href: `/api-tokens/${id}`, templated: false, type: "get" } },
      },
    });
    const read = await plane.ask(`/api-tokens/${id}`, { token });
    expect({ body: read.body, etag: read.headers.get("etag") }).toEqual({
      body: item,
      etag: made.headers.get("etag"),
    });
    expect((await plane.ask("/users", { token: shown })).status).toBe(200);
    expect(readToken(shown)?.claims).toMatchObject({ sub: userId, kind: "personal", ou: units.berlin });
  });

  test("an admin makes a service token with a role in a unit below, which acts there", async () => {
    const { userId, token } = await person("admin", units.berlin);
    const made = await create({ token }, service("viewer", { organizational_unit_id: units.mitte.toUpperCase() }));
    expect(made.body).toMatchObject({
      kind: "service",
      organizational_unit_id: units.mitte,
      user_id: null,
      role_id: defaultRoles.viewer.id,
      created_by: userId,
    });
    expect((await plane.ask("/tasks", { token: made.body.token })).status).toBe(200);
    expect((await plane.ask("/tasks", { token: made.body.token, unit: units.berlin })).status).toBe(403);
  });

  test("without an expiry it lives for 90 days where it is made with nothing shorter, at most for two years", async () => {
    const { token } = await plane.serviceToken("owner", root, 730 * day);
    const normal = await create({ token }, service("viewer"));
    expect(normal.body.expires_timestamp).toBe(at(plane.clock.now + 90 * day));
    const longest = await create({ token }, service("viewer", { expires_timestamp: at(plane.clock.now + 730 * day) }));
    expect(longest.body.expires_timestamp).toBe(at(plane.clock.now + 730 * day));
    // Whatever the fraction of the second in which it is asked for.
    const wanted = at(plane.clock.now + 30 * day);
    plane.clock.now += 600;
    const exact = await create({ token }, service("viewer", { expires_timestamp: wanted }));
    expect(exact.body.expires_timestamp).toBe(wanted);
    plane.clock.now += 400;
    for (const life of [730 * day + 1000, 999, 0, -day]) {
      const answer = await create({ token }, service("viewer", { expires_timestamp: at(plane.clock.now + life) }));
      expect([answer.status, codeOf(answer)]).toEqual([422, 42201]);
    }
  });

  test("a body that means nothing is refused, and every fault is told", async () => {
    const { token } = await plane.serviceToken("owner");
    const wrong: [object, number][] = [
      [{ name: " ", kind: "service", organizational_unit_id: "here", role_id: "viewer" }, 3],
      [{ name: "x\nforged line", kind: "service", role_id: defaultRoles.viewer.id }, 1],
      [{ name: "x".repeat(201), kind: "service", role_id: defaultRoles.viewer.id }, 1],
      [{ name: "x", kind: "service" }, 1],
      [{ name: "x", kind: "personal", role_id: defaultRoles.viewer.id }, 1],
      [{ name: "x", kind: "robot" }, 1],
      [{ name: "x", kind: "service", role_id: absent }, 1],
      [service("viewer", { expires_timestamp: "tomorrow" }), 1],
      [service("viewer", { token: "mine" }), 1],
    ];
    for (const [body, faults] of wrong) {
      const answer = await create({ token }, body);
      expect([answer.status, answer.body.errors.length, body]).toEqual([422, faults, body]);
    }
  });

  test("T24: the same request with the same key gives the same answer, but never the token again", async () => {
    const { token } = await plane.serviceToken("owner");
    const ask = { token, headers: { "Idempotency-Key": "once-1" } };
    const first = await create(ask, service("viewer"));
    const again = await create(ask, service("viewer"));
    const { token: shown, ...item } = first.body;
    expect({ status: again.status, body: again.body, location: again.headers.get("location") }).toEqual({
      status: 201,
      body: item,
      location: first.headers.get("location"),
    });
    expect((await create(ask, service("reporter"))).status).toBe(409);
    const whole = await readWhole(plane.databaseUrl);
    expect(whole).toContain(item.id);
    expect(whole).not.toContain(shown.split(".")[2]);
  });
});

describe("renaming", () => {
  test("changes the name alone, if the item is still the one that was read", async () => {
    const { token } = await person("viewer", units.berlin);
    const { token: _, ...before } = (await create({ token }, personal)).body;
    const read = await plane.ask(`/api-tokens/${before.id}`, { token });
    const match = { "If-Match": read.headers.get("etag") ?? "" };
    const renamed = await rename(before.id, { token, headers: match }, { name: "  desk  " });
    expect([renamed.status, renamed.body]).toEqual([200, { ...before, name: "desk" }]);
    expect((await rename(before.id, { token, headers: match })).status).toBe(412);
    expect((await rename(before.id, { token }, { kind: "service" })).status).toBe(422);
    expect((await rename(before.id, { token }, {})).body).toEqual(renamed.body);
  });
});

describe("rotating", () => {
  test("gives a new token of the same kind, and the old one is good for the overlap and not a moment longer", async () => {
    const here = await openPlane();
    const { token } = await here.serviceToken("owner", root, 365 * day);
    const ask = { token, method: "POST" };
    const old = (await here.ask("/api-tokens", { ...ask, body: service("viewer") })).body;
    const made = await here.ask(`/api-tokens/${old.id}/rotate`, { ...ask, body: { overlap_seconds: 600 } });
    const { token: fresh, ...item } = made.body;
    const { token: stale, ...before } = old;
    expect([made.status, made.headers.get("location"), item]).toEqual([
      201,
      `/api-tokens/${item.id}`,
      { ...before, id: item.id, _links: item._links },
    ]);
    expect(item.id).not.toBe(old.id);
    const ends = here.clock.now + 600_000;
    expect((await here.ask(`/api-tokens/${old.id}`, { token })).body.revoked_timestamp).toBe(at(ends));
    const statuses: number[] = [];
    // Nothing is committed in between: only the clock goes on.
    for (const moment of [ends - 1, ends, ends + 1]) {
      here.clock.now = moment;
      statuses.push((await here.ask("/tasks", { token: stale })).status);
    }
    expect(statuses).toEqual([200, 401, 401]);
    expect((await here.ask("/tasks", { token: fresh })).status).toBe(200);
    await here.close();
  });

  test("without an overlap the old one ends at once, and revoking ends an overlap", async () => {
    const { token } = await plane.serviceToken("owner");
    const first = (await create({ token }, service("viewer"))).body;
    const second = (await rotate(first.id, { token }, {})).body;
    expect(codeOf(await plane.ask("/tasks", { token: first.token }))).toBe(40105);
    await rotate(second.id, { token }, { overlap_seconds: 604_800 });
    expect((await plane.ask("/tasks", { token: second.token })).status).toBe(200);
    expect((await revoke(second.id, { token })).status).toBe(204);
    expect(codeOf(await plane.ask("/tasks", { token: second.token }))).toBe(40105);
  });

  test("the new one expires when the old one would have, unless another moment is asked for", async () => {
    const { token, id } = await plane.serviceToken("owner", root, 7 * day);
    const expires = at(plane.clock.now + 7 * day);
    plane.clock.now += day;
    const itself = await rotate(id, { token }, { overlap_seconds: 60 });
    expect([itself.status, itself.body.expires_timestamp]).toEqual([201, expires]);
    const { token: owner } = await plane.serviceToken("owner", root, 365 * day);
    const byAnother = await rotate(itself.body.id, { token: owner });
    expect([byAnother.status, byAnother.body.expires_timestamp]).toEqual([201, expires]);
    const wanted = { expires_timestamp: at(plane.clock.now + 100 * day) };
    const longer = await rotate(byAnother.body.id, { token: owner }, wanted);
    expect([longer.status, longer.body.expires_timestamp]).toEqual([201, wanted.expires_timestamp]);
    const { token: brief } = await plane.serviceToken("owner", root, 2 * day);
    const withBrief = await rotate(longer.body.id, { token: brief });
    expect([withBrief.status, withBrief.body.expires_timestamp]).toEqual([201, at(plane.clock.now + 2 * day)]);
  });

  test("a person rotates an own token with itself", async () => {
    const { id, token, userId } = await person("viewer", units.berlin);
    const { body } = await rotate(id, { token }, { overlap_seconds: 60 });
    expect(body).toMatchObject({ kind: "personal", user_id: userId, organizational_unit_id: units.berlin });
  });

  test("is not possible with one that has ended or is ending, nor with an overlap out of range", async () => {
    const { token } = await plane.serviceToken("owner");
    const { id } = (await create({ token }, service("viewer"))).body;
    for (const overlap_seconds of [-1, 604_801, 1.5]) {
      expect((await rotate(id, { token }, { overlap_seconds })).status).toBe(422);
    }
    await rotate(id, { token }, { overlap_seconds: 60 });
    expect(codeOf(await rotate(id, { token }))).toBe(40906);
    const revoked = (await create({ token }, service("viewer"))).body;
    await revoke(revoked.id, { token });
    expect(codeOf(await rotate(revoked.id, { token }))).toBe(40906);
    const { id: expired } = await plane.serviceToken("viewer", root, 1000);
    plane.clock.now += 1000;
    expect(codeOf(await rotate(expired, { token }))).toBe(40906);
  });
});

describe("revoking", () => {
  test("holds for the next request, and again changes nothing", async () => {
    const { token } = await plane.serviceToken("owner");
    const made = (await create({ token }, service("viewer"))).body;
    expect((await plane.ask("/tasks", { token: made.token })).status).toBe(200);
    const gone = await revoke(made.id, { token });
    expect([gone.status, gone.text]).toEqual([204, ""]);
    expect(codeOf(await plane.ask("/tasks", { token: made.token }))).toBe(40105);
    // When it was last used is written down later, and must not come between the two readings.
    await plane.service.tokenUse.flush();
    const read = await plane.ask(`/api-tokens/${made.id}`, { token });
    plane.clock.now += 1000;
    expect((await revoke(made.id, { token })).status).toBe(204);
    expect((await plane.ask(`/api-tokens/${made.id}`, { token })).body).toEqual(read.body);
  });

  test("a token can end itself", async () => {
    const { id, token } = await person("viewer", units.berlin);
    expect((await revoke(id, { token, headers: { [unitHeaderName]: units.mitte } })).status).toBe(204);
    expect((await revoke(id, { token })).status).toBe(401);
  });
});
