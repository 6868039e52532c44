import { afterAll, describe, expect, test } from "bun:test";
import type { DefaultRole } from "@holdfast/api/conventions/permissions";
import { revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { root, walk } from "../harness";
import { addPerson, signIn } from "./people";
import { absent, at, codeOf, day, openTokenPlane, personal, service } from "./token-plane";

const plane = await openTokenPlane();
afterAll(() => plane.close());
const { units, person, create, rotate } = plane;

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

  test("a person who is signed in makes tokens that outlive the session, for as long as they ask or for 90 days", async () => {
    await addPerson(plane, { email: "signed-in@example.org", roles: [{ role: "owner" }] });
    const signed = await signIn(plane, "signed-in@example.org");
    const ask = (body: object) => signed.ask("/api-tokens", { method: "POST", body });
    const normal = await ask(service("viewer"));
    expect([normal.status, normal.body.expires_timestamp]).toEqual([201, at(plane.clock.now + 90 * day)]);
    const expires_timestamp = at(plane.clock.now + 700 * day);
    expect((await ask({ ...personal, expires_timestamp })).body.expires_timestamp).toBe(expires_timestamp);
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
    expect([...new Set(answers.map(({ status, text }) => (status === 201 ? "made" : text)))]).toEqual(["made"]);
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
