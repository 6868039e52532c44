import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setUserEnabled } from "../../src/resources/users/store";
import { type Plane, root } from "../harness";
import { addNamedUnit, type OpenIdPlane, openPlaneWithProvider, rolesOf, told } from "./openid-plane";
import { auditEvents, cookieName, sessionCookie } from "./people";

const unit = "3f0c9a3e-6d0b-4a52-9a36-1f3f0c1d2e4b";
const otherUnit = "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d";
let opened: OpenIdPlane;
let plane: Plane;
let visitAs: OpenIdPlane["visitAs"];
let sessionOf: OpenIdPlane["sessionOf"];

beforeAll(async () => {
  const groups = `staff=viewer, ops=operator@${unit}, ops=viewer, bosses=owner`;
  opened = await openPlaneWithProvider({
    oidc_group_roles: `${groups}, both=viewer@${unit}, both=operator@${otherUnit}, more=viewer@${unit}`,
  });
  ({ plane, visitAs, sessionOf } = opened);
  await addNamedUnit(plane, unit, "Hamburg");
  await addNamedUnit(plane, otherUnit, "Bremen");
});
afterAll(() => opened.close());

/** Somebody whose address the provider vouches for. */
function personCalled(sub: string) {
  return { sub, email: `${sub}@example.org`, email_verified: true };
}

/** Audit events on a user: what was done, where, with what. */
async function eventsOn(id: string) {
  const events = (await auditEvents(plane)).filter(({ object }) => object?.id === id);
  return events.map(({ operation, organizational_unit_id, after, reason }) => [
    operation,
    organizational_unit_id,
    after ?? reason,
  ]);
}

const grantsOf = (id: string) =>
  plane.database.snapshot((db) =>
    db
      .selectFrom("role_grants")
      .innerJoin("roles", "roles.id", "role_id")
      .select(["name", "role_grants.organizational_unit_id as unit"])
      .where("user_id", "=", id)
      .execute(),
  );

describe("at a sign-in with OpenID Connect", () => {
  test("roles follow the groups, and other grants are left alone", async () => {
    const id = await plane.addUser({
      email: "moves@example.org",
      roles: [{ role: "reporter" }, { role: "viewer" }, { role: "admin", unitId: unit }],
    });
    const person = { sub: "moves", email: "Moves@example.org", email_verified: true };
    const first = await sessionOf(await visitAs({ ...person, groups: ["ops"] }));
    expect(first.user.id).toBe(id);
    expect(rolesOf(first)).toEqual([`admin@${unit}`, `operator@${unit}`, "reporter@root", "viewer@root"]);
    expect(rolesOf(await sessionOf(await visitAs({ ...person, groups: ["staff"] })))).toEqual([
      `admin@${unit}`,
      "reporter@root",
      "viewer@root",
    ]);
    expect(rolesOf(await sessionOf(await visitAs(person)))).toEqual([`admin@${unit}`, "reporter@root"]);
  });

  test("the last owner stays one, also where another has only been invited", async () => {
    const [boss, deputy] = [personCalled("boss"), personCalled("deputy")];
    const stepDown = async () => rolesOf(await sessionOf(await visitAs({ ...boss, groups: ["staff"] })));
    await visitAs({ ...boss, groups: ["bosses"] });
    expect(await stepDown()).toEqual(["owner@root", "viewer@root"]);
    await plane.addUser({ email: deputy.email, isConfirmed: false, roles: [{ role: "owner" }] });
    expect(await stepDown()).toEqual(["owner@root", "viewer@root"]);
    await visitAs({ ...deputy, groups: ["bosses"] });
    expect(await stepDown()).toEqual(["viewer@root"]);
  });

  test("whoever has lost all groups is refused, and what they had ends all the same", async () => {
    const person = personCalled("loser");
    const answered = await visitAs({ ...person, groups: ["ops"] });
    const { user } = await sessionOf(answered);
    const session = { headers: { Cookie: `${cookieName}=${sessionCookie(answered)}` } };
    const { token } = await plane.personalToken(user.id);
    expect((await plane.ask("/tasks", { token })).status).toBe(200);
    const known = (await eventsOn(user.id)).length;

    expect(told(await visitAs({ ...person, groups: [] }))).toEqual([401, 40107, []]);

    expect(await grantsOf(user.id)).toEqual([]);
    const [withSession, withToken] = [await plane.ask("/session", session), await plane.ask("/tasks", { token })];
    expect([withSession.status, withToken.status]).toEqual([401, 401]);
    const revokedOnly = async (role: "operator" | "viewer") => ({
      granted: [],
      revoked: [{ role_id: await plane.roleId(role) }],
    });
    const news = (await eventsOn(user.id)).slice(known);
    expect(news).toHaveLength(3);
    expect(news).toEqual(
      expect.arrayContaining([
        ["synchronise-groups", unit, await revokedOnly("operator")],
        ["synchronise-groups", root, await revokedOnly("viewer")],
        ["openid-sign-in", root, "accessEnded"],
      ]),
    );
    expect(rolesOf(await sessionOf(await visitAs({ ...person, groups: ["staff"] })))).toEqual(["viewer@root"]);
  });

  test("a user whom the groups leave without a role, the first time, loses what was given here", async () => {
    const id = await plane.addUser({ email: "never@example.org", roles: [{ role: "viewer" }] });
    const { token } = await plane.personalToken(id);
    expect(told(await visitAs({ ...personCalled("never"), groups: [] }))).toEqual([401, 40107, []]);
    expect([await grantsOf(id), (await plane.ask("/tasks", { token })).status]).toEqual([[], 401]);
  });

  test("nothing is given to or taken from somebody who is disabled", async () => {
    const person = personCalled("resting");
    const { user } = await sessionOf(await visitAs({ ...person, groups: ["staff"] }));
    await plane.database.change((db) => setUserEnabled(db, user.id, false));
    expect(told(await visitAs({ ...person, groups: ["ops", "bosses"] }))).toEqual([401, 40108, []]);
    expect(await grantsOf(user.id)).toEqual([{ name: "viewer", unit: root }]);
  });

  test("each unit is told what has changed there, and nobody of the others", async () => {
    const person = personCalled("both");
    const { user } = await sessionOf(await visitAs({ ...person, groups: ["both"] }));
    const [viewer, operator] = [await plane.roleId("viewer"), await plane.roleId("operator")];
    const seenFrom = async (unitId: string) => {
      const { token } = await plane.serviceToken("admin", unitId);
      const path = `/audit-events?filter=${encodeURIComponent(JSON.stringify({ object_id: user.id }))}`;
      return plane.ask(path, { token, unit: unitId });
    };
    const [here, there] = [await seenFrom(unit), await seenFrom(otherUnit)];
    const shown = ({ body }: typeof here) =>
      body._embedded.items.map((item: { operation: string; after: unknown }) => [item.operation, item.after]);
    const issuer = opened.provider.issuer;
    expect(shown(here)).toEqual([
      ["openid-sign-in", { issuer }],
      ["synchronise-groups", { granted: [{ role_id: viewer }], revoked: [] }],
    ]);
    expect(shown(there)).toEqual([["synchronise-groups", { granted: [{ role_id: operator }], revoked: [] }]]);
    expect(here.text).not.toContain(otherUnit);
    expect(there.text).not.toContain(unit);
  });

  test("nothing is told of groups where they have changed nothing", async () => {
    const person = personCalled("steady");
    const { user } = await sessionOf(await visitAs({ ...person, groups: ["both"] }));
    const known = (await eventsOn(user.id)).length;
    await sessionOf(await visitAs({ ...person, groups: ["both", "more"] }));
    expect((await eventsOn(user.id)).slice(known)).toEqual([
      ["openid-sign-in", unit, { issuer: opened.provider.issuer }],
    ]);
  });
});
