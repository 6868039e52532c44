import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { readToken } from "../../src/access/token-format";
import { revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { readWhole } from "../folder-database";
import { type Ask, openPlane, type Plane, root, unitHeaderName, walk } from "../harness";

const day = 86_400_000;
const absent = "11111111-1111-4111-8111-111111111111";

let plane: Plane;
/** Root above Berlin, which is above Mitte; Paris is beside it. */
let units: { berlin: string; mitte: string; paris: string };
beforeAll(async () => {
  plane = await openPlane();
  const berlin = await plane.addUnit("Berlin");
  units = { berlin, mitte: await plane.addUnit("Mitte", berlin), paris: await plane.addUnit("Paris") };
});
afterAll(() => plane.close());

/** A person with a role in a unit, and a personal token for it. */
async function person(role: DefaultRole, unitId = root, life = 30 * day) {
  const userId = await plane.addUser({ roles: [{ role, unitId }] });
  const { id, token } = await plane.personalToken(userId, unitId, life);
  return { userId, id, token };
}

const create = (ask: Ask, body: unknown) => plane.ask("/api-tokens", { ...ask, method: "POST", body });
const rotate = (id: string, ask: Ask, body: unknown = {}) =>
  plane.ask(`/api-tokens/${id}/rotate`, { ...ask, method: "POST", body });
const rename = (id: string, ask: Ask, body: unknown = { name: "renamed" }) =>
  plane.ask(`/api-tokens/${id}`, { ...ask, method: "PATCH", body });
const revoke = (id: string, ask: Ask) => plane.ask(`/api-tokens/${id}`, { ...ask, method: "DELETE" });
const service = (role: DefaultRole, more: object = {}) => ({
  name: "nightly",
  kind: "service",
  role_id: defaultRoles[role].id,
  ...more,
});
const personal = { name: "laptop", kind: "personal" };
const at = (milliseconds: number) => new Date(milliseconds).toISOString();
const codeOf = (answer: { body: { errors: { error_code: number }[] } }) => answer.body.errors[0]?.error_code;

describe("making one", () => {
  test("a person makes a personal token without any special role, and it is shown once", async () => {
    const { userId, token } = await person("viewer", units.berlin);
    const made = await create({ token }, personal);
    const { token: shown, ...item } = made.body;
    expect({ status: made.status, location: made.headers.get("location"), item }).toEqual({
      status: 201,
      location: `/api-tokens/${item.id}`,
      item: {
        id: item.id,
        name: "laptop",
        kind: "personal",
        organizational_unit_id: units.berlin,
        user_id: userId,
        role_id: null,
        created_by: userId,
        created_timestamp: at(plane.clock.now),
        expires_timestamp: at(plane.clock.now + 30 * day),
        revoked_timestamp: null,
        last_used_timestamp: null,
        last_used_address: null,
        last_used_client: null,
        _links: { self: { href: `/api-tokens/${item.id}`, templated: false, type: "get" } },
      },
    });
    const read = await plane.ask(`/api-tokens/${item.id}`, { token });
    expect({ body: read.body, etag: read.headers.get("etag") }).toEqual({
      body: item,
      etag: made.headers.get("etag"),
    });
    expect((await plane.ask("/users", { token: shown })).status).toBe(200);
    expect(readToken(shown)?.claims).toMatchObject({ sub: userId, jti: item.id, kind: "personal", ou: units.berlin });
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
    const usual = await create({ token }, service("viewer"));
    expect(usual.body.expires_timestamp).toBe(at(plane.clock.now + 90 * day));
    const longest = await create({ token }, service("viewer", { expires_timestamp: at(plane.clock.now + 730 * day) }));
    expect(longest.body.expires_timestamp).toBe(at(plane.clock.now + 730 * day));
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

describe("T9: nobody mints more than they have:", () => {
  const roles: DefaultRole[] = ["owner", "admin", "operator", "reporter", "viewer"];
  /** Who has api-tokens:write, and which roles they hold all permissions of. */
  const mintable: Record<DefaultRole, DefaultRole[]> = {
    owner: roles,
    admin: ["admin", "operator", "reporter", "viewer"],
    operator: [],
    reporter: [],
    viewer: [],
  };
  const places = { own: () => units.berlin, below: () => units.mitte, above: () => root, beside: () => units.paris };

  for (const kind of ["person", "service"] as const) {
    for (const creator of roles) {
      test(`a ${kind} with the role ${creator} in a unit, all roles and places`, async () => {
        const { token } =
          kind === "person"
            ? await person(creator, units.berlin)
            : await plane.serviceToken(creator, units.berlin, 30 * day);
        const asked = Object.entries(places).flatMap(([place, unitOf]) =>
          roles.map((role) => ({ what: `${role} ${place}`, role, unitId: unitOf() })),
        );
        const answers: { what: string; status: number }[] = [];
        for (const { what, role, unitId } of asked) {
          const { status } = await create({ token }, service(role, { organizational_unit_id: unitId }));
          answers.push({ what, status });
        }
        const granted = mintable[creator].flatMap((role) => [`${role} below`, `${role} own`]);
        expect(answers).toEqual(asked.map(({ what }) => ({ what, status: granted.includes(what) ? 201 : 403 })));
      });
    }
  }

  test("a unit that does not exist is refused with the same bytes as one that is not theirs", async () => {
    const { token } = await person("admin", units.berlin);
    const answers = await Promise.all(
      [absent, units.paris].map((unitId) => create({ token }, service("viewer", { organizational_unit_id: unitId }))),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [403, answers[0]?.text ?? ""],
      [403, answers[0]?.text ?? ""],
    ]);
    const forPerson = await create({ token }, { ...personal, organizational_unit_id: units.paris });
    expect(forPerson.text).toBe(answers[0]?.text ?? "");
  });

  test("a service token makes no personal one, whatever its role", async () => {
    const { token } = await plane.serviceToken("owner");
    const answer = await create({ token }, personal);
    expect([answer.status, codeOf(answer)]).toEqual([403, 40305]);
  });

  test("what is made with a token does not outlive it, by creation or by rotation, over generations", async () => {
    const { token, id } = await plane.serviceToken("owner", root, 10 * day);
    const beyond = { expires_timestamp: at(plane.clock.now + 10 * day + 1000) };
    expect(codeOf(await create({ token }, service("viewer", beyond)))).toBe(40303);
    expect(codeOf(await rotate(id, { token }, beyond))).toBe(40303);
    let last = { token, expires: plane.clock.now + 10 * day };
    for (let generation = 0; generation < 5; generation++) {
      const made = await create({ token: last.token }, service("owner"));
      const expires = Date.parse(made.body.expires_timestamp);
      expect(expires).toBeLessThanOrEqual(last.expires);
      last = { token: made.body.token, expires };
    }
    const { token: own, userId } = await person("viewer", units.berlin, 5 * day);
    const child = await create({ token: own }, { ...personal, name: "child" });
    expect(child.body).toMatchObject({ user_id: userId, expires_timestamp: at(plane.clock.now + 5 * day) });
  });

  test("a token that was rotated and is good for a while yet makes nothing that lives longer than that", async () => {
    const { token } = await plane.serviceToken("owner", root, 30 * day);
    const old = (await create({ token }, service("owner"))).body;
    await rotate(old.id, { token }, { overlap_seconds: 3600 });
    const made = await create({ token: old.token }, service("viewer"));
    expect(made.body.expires_timestamp).toBe(at(plane.clock.now + 3_600_000));
  });

  test("a custom role of another unit cannot be used, and its existence is not told", async () => {
    const { token } = await plane.serviceToken("owner");
    const body = { name: "Paris reader", permissions: ["tasks:read"] };
    const role = await plane.ask("/roles", { token, unit: units.paris, method: "POST", body });
    const { token: admin } = await person("admin", units.berlin);
    const answers = [role.body.id, absent].map((role_id) => create({ token: admin }, service("viewer", { role_id })));
    const [elsewhere, nowhere] = await Promise.all(answers);
    expect([elsewhere?.status, elsewhere?.text]).toEqual([422, nowhere?.text]);
  });

  test("of 50 that are asked for at once, where ten more are allowed, exactly ten are made", async () => {
    const { token } = await person("viewer");
    // The one that it asks with counts as well.
    for (let made = 1; made < 90; made++) expect((await create({ token }, personal)).status).toBe(201);
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ token }, personal)));
    const refused = answers.filter(({ status }) => status === 409);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    expect(new Set(refused.map(codeOf))).toEqual(new Set([40907]));
    expect(await walk(plane, "/api-tokens", { token })).toHaveLength(100);
  });

  test("50 that are asked for at once are 50 tokens, each with an id of its own", async () => {
    const { token } = await plane.serviceToken("owner");
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ token }, service("viewer"))));
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(50);
    const used = await Promise.all(answers.map(({ body }) => plane.ask("/tasks", { token: body.token })));
    expect(used.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200));
  });
});

describe("T7: rights follow the owner at once:", () => {
  test("a personal token made through the API loses what its user loses, with the next request", async () => {
    const userId = await plane.addUser({
      roles: [
        { role: "viewer", unitId: units.paris },
        { role: "admin", unitId: units.berlin },
      ],
    });
    const { token: first } = await plane.personalToken(userId, units.berlin);
    const { token } = (await create({ token: first }, personal)).body;
    expect((await create({ token }, service("viewer"))).status).toBe(201);
    const admin = { userId, roleId: await plane.roleId("admin"), unitId: units.berlin };
    await plane.database.change((db) => revokeRole(db, admin));
    expect((await create({ token, unit: units.paris }, service("viewer"))).status).toBe(403);
    expect((await plane.ask("/tasks", { token })).status).toBe(403);
    expect((await plane.ask("/tasks", { token, unit: units.paris })).status).toBe(200);
    await plane.database.change((db) => setUserEnabled(db, userId, false));
    expect(codeOf(await plane.ask("/tasks", { token, unit: units.paris }))).toBe(40107);
  });
});

describe("what is seen", () => {
  test("an admin sees the tokens of the unit and below, and people see their own from everywhere", async () => {
    const here = await openPlane();
    const berlin = await here.addUnit("Berlin");
    const mitte = await here.addUnit("Mitte", berlin);
    const paris = await here.addUnit("Paris");
    const userId = await here.addUser({
      roles: [
        { role: "admin", unitId: berlin },
        { role: "viewer", unitId: paris },
      ],
    });
    const viewerId = await here.addUser({ roles: [{ role: "viewer", unitId: berlin }] });
    const tick = async <Made>(make: () => Promise<Made>) => {
      here.clock.now += 1000;
      return make();
    };
    const own = await tick(() => here.personalToken(userId, berlin));
    const ownInParis = await tick(() => here.personalToken(userId, paris));
    const inMitte = await tick(() => here.serviceToken("viewer", mitte));
    const ofViewer = await tick(() => here.personalToken(viewerId, berlin));
    await tick(() => here.serviceToken("owner", root));
    await tick(() => here.serviceToken("viewer", paris));
    const seen = async (token: string, unit: string, query = "") =>
      (await walk(here, `/api-tokens?limit=1${query}`, { token, unit })).map(({ id }) => id);
    expect(await seen(own.token, berlin)).toEqual([ofViewer.id, inMitte.id, ownInParis.id, own.id]);
    expect(await seen(own.token, mitte)).toEqual([inMitte.id, ownInParis.id, own.id]);
    expect(await seen(own.token, paris)).toEqual([ownInParis.id, own.id]);
    expect(await seen(ofViewer.token, berlin)).toEqual([ofViewer.id]);
    const filter = encodeURIComponent(JSON.stringify({ kind: "service", name: { $contains: "VIEWER" } }));
    expect(await seen(own.token, berlin, `&filter=${filter}`)).toEqual([inMitte.id]);
    await here.close();
  });

  test("a service without the permission may not list or read any, not even itself", async () => {
    const { id, token } = await plane.serviceToken("viewer");
    expect(codeOf(await plane.ask("/api-tokens", { token }))).toBe(40302);
    expect(codeOf(await plane.ask(`/api-tokens/${id}`, { token }))).toBe(40302);
  });

  test("the last use is told: when, from where, and by what", async () => {
    const { id, token } = await plane.serviceToken("owner");
    await plane.ask("/tasks", { token, headers: { "User-Agent": "restic-runner/1.2" } });
    await plane.service.tokenUse.flush();
    const { body } = await plane.ask(`/api-tokens/${id}`, { token });
    expect([body.last_used_timestamp, body.last_used_client]).toEqual([at(plane.clock.now), "restic-runner/1.2"]);
    expect(body.last_used_address).toBeString();
  });
});

describe("T8: ids of tokens of other units", () => {
  test("answer like ids that do not exist, byte for byte, whatever is tried", async () => {
    const callers = [
      await person("admin", units.berlin),
      await person("viewer", units.berlin),
      await plane.serviceToken("admin", units.berlin),
      await person("owner", units.mitte),
    ];
    const ids = [
      (await plane.serviceToken("viewer", units.paris)).id,
      (await plane.serviceToken("viewer", root)).id,
      (await person("viewer", units.paris)).id,
      (await person("owner")).id,
    ];
    const deeds: ((id: string, ask: Ask) => ReturnType<Plane["ask"]>)[] = [
      (id, ask) => plane.ask(`/api-tokens/${id}`, ask),
      rename,
      rotate,
      revoke,
    ];
    for (const { token } of callers) {
      for (const deed of deeds) {
        const nowhere = await deed(absent, { token });
        expect([nowhere.status, codeOf(nowhere)]).toEqual([404, 40402]);
        for (const id of ids) {
          const answer = await deed(id, { token });
          expect([answer.status, answer.text]).toEqual([404, nowhere.text]);
        }
        for (const odd of ["%00", "x", "%F0%9F%98%80", "..%2F"]) expect((await deed(odd, { token })).status).toBe(404);
      }
    }
    const { token } = await plane.serviceToken("owner");
    const left = await Promise.all(ids.map((id) => plane.ask(`/api-tokens/${id}`, { token })));
    expect(left.map(({ body }) => [body.name === "renamed", body.revoked_timestamp])).toEqual(
      ids.map(() => [false, null]),
    );
  });

  test("without the permission a service gets the same 403 for every id", async () => {
    const { token } = await plane.serviceToken("operator", units.berlin);
    const { id } = await plane.serviceToken("viewer", units.berlin);
    for (const deed of [rename, rotate, revoke]) {
      const answers = await Promise.all([id, absent, "x"].map((one) => deed(one, { token })));
      expect(answers.map(({ status, text }) => [status, text])).toEqual(
        answers.map(() => [403, answers[0]?.text ?? ""]),
      );
    }
  });
});

describe("T8: what is done to tokens of others", () => {
  test("an admin has no power over a service token that may do more, nor over a person who may", async () => {
    const { token } = await person("admin", units.berlin);
    const { id: ownerService } = await plane.serviceToken("owner", units.berlin);
    const chief = await person("owner", units.berlin);
    for (const answer of [
      await rename(ownerService, { token }),
      await rotate(ownerService, { token }),
      await revoke(ownerService, { token }),
      await rename(chief.id, { token }),
      await rotate(chief.id, { token }),
      await revoke(chief.id, { token }),
    ]) {
      expect([answer.status, codeOf(answer)]).toEqual([403, 40303]);
    }
  });

  test("an admin revokes somebody's personal token, but never gets hold of one", async () => {
    const { token } = await person("admin", units.berlin);
    const viewer = await person("viewer", units.berlin);
    expect([(await rotate(viewer.id, { token })).status, (await rename(viewer.id, { token })).status]).toEqual([
      403, 403,
    ]);
    expect((await plane.ask("/tasks", { token: viewer.token })).status).toBe(200);
    expect((await revoke(viewer.id, { token })).status).toBe(204);
    expect(codeOf(await plane.ask("/tasks", { token: viewer.token }))).toBe(40105);
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
