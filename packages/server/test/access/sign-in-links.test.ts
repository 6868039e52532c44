import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeFirstOwnerLink } from "../../src/access/first-owner";
import { createLink, invitationLife } from "../../src/access/one-time-links";
import { setUserEnabled } from "../../src/resources/users/store";
import { type Answered, type Plane, root } from "../harness";
import { addPerson, auditTrail, openPlaneForPeople, password, signedIn, trySignIn } from "./people";

const told = ({ status, body }: Answered) => [status, body?.errors?.[0]?.error_code];

describe("an invitation", () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await openPlaneForPeople();
  });
  afterAll(() => plane.close());

  const accept = (body: object) => plane.ask("/invitation", { method: "POST", body });
  async function invite(email: string) {
    const id = await plane.addUser({ email, name: "Jo Doe", isConfirmed: false, roles: [{ role: "viewer" }] });
    const secret = await plane.database.change((db) =>
      createLink(db, "invitation", id, plane.clock.now, invitationLife),
    );
    return { id, secret };
  }

  test("is accepted with a password, and signs in", async () => {
    const { id, secret } = await invite("jo@example.org");
    const answered = await accept({ secret, password, full_name: "Joanna Doe" });
    expect([answered.status, answered.body.user]).toEqual([
      201,
      { id, email: "jo@example.org", full_name: "Joanna Doe", has_password: true, has_totp: false },
    ]);
    expect((await signedIn(plane, answered).ask("/tasks")).status).toBe(200);
    expect((await trySignIn(plane, { email: "jo@example.org", password })).status).toBe(201);
    const { token } = await plane.serviceToken("viewer");
    expect((await plane.ask(`/users/${id}`, { token })).body).toMatchObject({
      full_name: "Joanna Doe",
      is_confirmed: true,
    });
    expect((await auditTrail(plane)).filter(({ object }) => object.id === id)[0]).toEqual({
      actor: { kind: "user", user_id: id, token_id: null, address: "" },
      operation: "accept-invitation",
      object: { type: "user", id },
      result: "done",
      reason: null,
      count: 1,
      after: null,
    });
  });

  test("is good once, also at the same time", async () => {
    const { secret } = await invite("once@example.org");
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await accept({ secret, password })).status));
    expect(statuses.sort()).toEqual([201, 400, 400, 400]);
    expect(told(await accept({ secret, password }))).toEqual([400, 40017]);
  });

  test("outlives a password that cannot be taken", async () => {
    const { secret } = await invite("careless.person@example.org");
    const refused = await accept({ secret, password: "careless.person1", full_name: " " });
    expect([refused.status, refused.body.errors.map((one: { error_message: string }) => one.error_message)]).toEqual([
      422,
      [
        'The field "full_name" has to be 1 to 200 characters on one line.',
        'The field "password" has to be harder to guess: not a common password, and not made of your name or address.',
      ],
    ]);
    expect((await accept({ secret, password })).status).toBe(201);
  });

  test("is void after seven days, for somebody who is disabled, and where it is made up", async () => {
    const [late, disabled] = [await invite("late@example.org"), await invite("disabled@example.org")];
    await plane.database.change((db) => setUserEnabled(db, disabled.id, false));
    expect(told(await accept({ secret: disabled.secret, password }))).toEqual([400, 40017]);
    plane.clock.now += invitationLife;
    expect(told(await accept({ secret: late.secret, password }))).toEqual([400, 40017]);
    for (const secret of ["", "A".repeat(43), "\u0000"]) {
      expect(told(await accept({ secret, password }))).toEqual([400, 40017]);
    }
  });

  test("makes nobody an owner", async () => {
    const { secret } = await invite("greedy@example.org");
    const body = { secret, password, email: "greedy2@example.org", full_name: "Greedy" };
    expect(told(await plane.ask("/first-owner", { method: "POST", body }))).toEqual([400, 40017]);
  });
});

describe("the first owner", () => {
  let plane: Plane;
  beforeAll(async () => {
    plane = await openPlaneForPeople();
  });
  afterAll(() => plane.close());

  const person = { email: "first@example.org", full_name: "First Owner", password };
  const become = (secret: string, more: object = {}) =>
    plane.ask("/first-owner", { method: "POST", body: { secret, ...person, ...more } });
  async function link(): Promise<string> {
    const made = await makeFirstOwnerLink(plane.service, "http://holdfast.test", plane.clock.now);
    expect(made).toMatch(/^http:\/\/holdfast\.test\/first-owner#[A-Za-z0-9_-]{43}$/);
    return made?.split("#")[1] ?? "";
  }

  test("link dies after an hour, and when another one is made", async () => {
    const first = await link();
    plane.clock.now += 3_600_000;
    expect(told(await become(first))).toEqual([400, 40017]);
    const second = await link();
    await link();
    expect(told(await become(second))).toEqual([400, 40017]);
    const made = (await auditTrail(plane)).filter(({ operation }) => operation === "invite-first-owner");
    expect(made.map(({ actor }) => actor.kind)).toEqual(["system", "system", "system"]);
  });

  test("is refused with an address that is none or somebody's, and the link stays good", async () => {
    const secret = await link();
    await plane.addUser({ email: "taken@example.org", roles: [{ role: "admin" }] });
    expect(told(await become(secret, { email: "First" }))).toEqual([422, 42201]);
    expect(told(await become(secret, { email: "Taken@example.org" }))).toEqual([409, 40902]);
    const invitation = { secret, password };
    expect(told(await plane.ask("/invitation", { method: "POST", body: invitation }))).toEqual([400, 40017]);
    const answered = await become(secret);
    expect([answered.status, answered.body]).toEqual([
      201,
      {
        user: {
          id: expect.any(String),
          email: "first@example.org",
          full_name: "First Owner",
          has_password: true,
          has_totp: false,
        },
        organizational_unit_id: root,
        organizational_units: [
          {
            organizational_unit_id: root,
            name: "Root",
            roles: [{ role_id: await plane.roleId("owner"), name: "owner" }],
          },
        ],
        csrf_token: expect.any(String),
        expires_timestamp: expect.any(String),
      },
    ]);
    expect((await signedIn(plane, answered).ask("/keys")).status).toBe(200);
    expect(told(await become(secret, { email: "second@example.org" }))).toEqual([400, 40017]);
    expect((await auditTrail(plane)).at(-1)).toEqual({
      actor: { kind: "user", user_id: answered.body.user.id, token_id: null, address: "" },
      operation: "create-first-owner",
      object: { type: "user", id: answered.body.user.id },
      result: "done",
      reason: null,
      count: 1,
      after: { email: "first@example.org", full_name: "First Owner" },
    });
  });

  test("link is not made once there is an owner", async () => {
    expect(await makeFirstOwnerLink(plane.service, "http://holdfast.test", plane.clock.now)).toBeUndefined();
  });

  test("link is not made while somebody has been invited to be the owner, and an older one is of no use", async () => {
    const own = await openPlaneForPeople();
    const made = await makeFirstOwnerLink(own.service, "http://holdfast.test", own.clock.now);
    await own.addUser({ email: "invited@example.org", isConfirmed: false, roles: [{ role: "owner" }] });
    expect(await makeFirstOwnerLink(own.service, "http://holdfast.test", own.clock.now)).toBeUndefined();
    const body = { secret: made?.split("#")[1], ...person };
    expect(told(await own.ask("/first-owner", { method: "POST", body }))).toEqual([400, 40017]);
    await own.close();
  });

  test("link is made while there are only owners of other units, and other roles in the root", async () => {
    const own = await openPlaneForPeople();
    const unit = await own.addUnit("Elsewhere");
    await addPerson(own, { roles: [{ role: "owner", unitId: unit }, { role: "admin" }] });
    expect(await makeFirstOwnerLink(own.service, "http://holdfast.test", own.clock.now)).toContain("#");
    await own.close();
  });
});
