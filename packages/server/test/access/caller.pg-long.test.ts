import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { defaultRoles } from "@holdfast/api/conventions/permissions";
import { callerV1 } from "@holdfast/api/resources/caller";
import { revokeRole } from "../../src/resources/users/store";
import { type Plane, root } from "../harness";
import { addPerson, openPlaneForPeople, signIn } from "./people";

let plane: Plane;
let north: string;
let harbour: string;
beforeAll(async () => {
  plane = await openPlaneForPeople();
  north = await plane.addUnit("North");
  harbour = await plane.addUnit("Harbour", north);
});
afterAll(() => plane.close());

const self = {
  base_url: "http://holdfast.test",
  base_url_aliases: [],
  _links: { self: { href: "/caller", templated: false, type: "get" } },
};
const inADay = () => new Date(plane.clock.now + 86_400_000).toISOString();
const viewing = [...defaultRoles.viewer.permissions].sort();

describe("the caller", () => {
  test("is a service, by its token, with what its role allows in the unit of the token", async () => {
    const { token, id } = await plane.serviceToken("reporter", north);
    const { status, headers, body } = await plane.ask("/caller", { token });
    expect([status, headers.get("content-type")]).toEqual([200, "application/api.svc.caller=v1+json"]);
    expect(callerV1.strict().parse(body)).toEqual(body);
    expect(body).toEqual({
      kind: "service",
      user: null,
      token: { id, name: "reporter token", expires_timestamp: inADay() },
      organizational_unit: { id: north, name: "North" },
      permissions: ["tasks:report"],
      ...self,
    });
  });

  test("is a person, by a personal token, with what all of their roles allow in the unit of the request", async () => {
    const userId = await plane.addUser({
      name: "Ada",
      email: "ada@example.org",
      roles: [
        { role: "viewer", unitId: north },
        { role: "owner", unitId: harbour },
      ],
    });
    const { token, id } = await plane.personalToken(userId, north);
    const expected = {
      kind: "personal",
      user: { id: userId, email: "ada@example.org", full_name: "Ada" },
      token: { id, name: "personal token", expires_timestamp: inADay() },
      ...self,
    };
    expect((await plane.ask("/caller", { token })).body).toEqual({
      ...expected,
      organizational_unit: { id: north, name: "North" },
      permissions: viewing,
    });
    expect((await plane.ask("/caller", { token, unit: harbour.toUpperCase() })).body).toEqual({
      ...expected,
      organizational_unit: { id: harbour, name: "Harbour" },
      permissions: [...defaultRoles.owner.permissions].sort(),
    });
    expect((await plane.ask("/caller", { token, unit: root })).status).toBe(403);
  });

  test("is a person who has signed in, without a token", async () => {
    const userId = await addPerson(plane, { name: "Grace", email: "grace@example.org" });
    const { status, body, headers } = await (await signIn(plane, "grace@example.org")).ask("/caller");
    expect(headers.get("vary")).toBe(
      "Accept, Accept-Encoding, Authorization, x-svc-organizationalunit-context, Cookie",
    );
    const { name } = await plane.database.snapshot((db) =>
      db.selectFrom("organizational_units").select("name").where("id", "=", root).executeTakeFirstOrThrow(),
    );
    expect([status, body]).toEqual([
      200,
      {
        kind: "session",
        user: { id: userId, email: "grace@example.org", full_name: "Grace" },
        token: null,
        organizational_unit: { id: root, name },
        permissions: viewing,
        ...self,
      },
    ]);
  });

  test("follows at once when a role is taken, a name is changed or the token was rotated", async () => {
    const { token: owner } = await plane.serviceToken("owner");
    const roles = [{ role: "viewer" as const }, { role: "operator" as const, unitId: north }];
    const userId = await plane.addUser({ name: "Alan", roles });
    const { token, id } = await plane.personalToken(userId);
    const ask = async () => (await plane.ask("/caller", { token, unit: north })).body;
    expect((await ask()).permissions).toContain("tasks:report");
    await plane.database.change(async (db) =>
      revokeRole(db, { userId, roleId: await plane.roleId("operator"), unitId: north }),
    );
    expect((await ask()).permissions).toEqual(viewing);
    await plane.ask(`/users/${userId}`, { method: "PATCH", token: owner, body: { full_name: "Alan Turing" } });
    await plane.ask(`/organizational-units/${north}`, { method: "PATCH", token: owner, body: { name: "North East" } });
    const { user, organizational_unit } = await ask();
    expect([user.full_name, organizational_unit.name]).toEqual(["Alan Turing", "North East"]);
    const overlap = { overlap_seconds: 60 };
    expect((await plane.ask(`/api-tokens/${id}/rotate`, { method: "POST", token, body: overlap })).status).toBe(201);
    expect((await ask()).token.expires_timestamp).toBe(new Date(plane.clock.now + 60_000).toISOString());
  });

  test("takes no parameters, answers 304 to its ETag, and needs a token", async () => {
    const { token } = await plane.serviceToken("viewer");
    const { headers } = await plane.ask("/caller", { token });
    const known = { "If-None-Match": String(headers.get("etag")) };
    expect((await plane.ask("/caller", { token, headers: known })).status).toBe(304);
    const { status, body } = await plane.ask("/caller?limit=1", { token });
    expect([status, body.errors[0].error_code]).toEqual([400, 40001]);
    expect((await plane.ask("/caller")).status).toBe(401);
  });
});
