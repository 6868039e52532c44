import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createLink, invitationLife } from "../../src/access/one-time-links";
import { grantRole, setUserEnabled } from "../../src/resources/users/store";
import { findAccount, updateAccount } from "../../src/sign-in/accounts";
import { makeFirstOwnerLink } from "../../src/sign-in/first-owner";
import { type Answered, type Plane, root } from "../harness";
import {
  addPerson,
  auditEvents,
  auditTrail,
  openPlaneForPeople,
  otherPassword,
  password,
  signedIn,
  signIn,
  trySignIn,
} from "./people";

/** A link that is not good, as the audit trail tells of it. */
const badLink = (operation: string) => ({
  actor: { kind: "nobody", user_id: null, token_id: null, address: "" },
  operation,
  object: { type: "user", id: null },
  result: "refused",
  reason: "linkInvalid",
  after: null,
});

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
    return { id, secret: await makeLink(id) };
  }
  const makeLink = (id: string) =>
    plane.database.change((db) => createLink(db, "invitation", id, plane.clock.now, invitationLife));

  test("is accepted with a password, and signs in", async () => {
    const { id, secret } = await invite("jo@example.org");
    const answered = await accept({ secret, password, full_name: "Joanna Doe" });
    expect([answered.status, answered.body.user]).toEqual([
      201,
      { id, email: "jo@example.org", full_name: "Joanna Doe", time_zone: "UTC", has_password: true, has_totp: false },
    ]);
    expect((await signedIn(plane, answered).ask("/tasks")).status).toBe(200);
    expect((await trySignIn(plane, { email: "jo@example.org", password })).status).toBe(201);
    const { token } = await plane.serviceToken("viewer");
    expect((await plane.ask(`/users/${id}`, { token })).body).toMatchObject({
      full_name: "Joanna Doe",
      is_confirmed: true,
    });
    const [accepted] = (await auditEvents(plane)).filter(({ object }) => object.id === id);
    expect(accepted).toMatchObject({
      actor: { kind: "user", user_id: id, token_id: null, address: "" },
      operation: "accept-invitation",
      organizational_unit_id: root,
      result: "done",
    });
    expect([accepted.before, accepted.after]).toEqual([
      { full_name: "Jo Doe", is_confirmed: false },
      { full_name: "Joanna Doe", is_confirmed: true, password: "set" },
    ]);
  });

  test("T7: for somebody who has confirmed ends what was open before, and takes one-time codes away", async () => {
    const email = "lost@example.org";
    const id = await addPerson(plane, { email, name: "Lost Phone" });
    const before = await signIn(plane, email);
    const codes = { sealed_totp_secret: "x", totp_confirmed_at: 1, totp_last_step: 1, recovery_codes: "[]" };
    await plane.database.change((db) => updateAccount(db, id, codes));
    const answered = await accept({ secret: await makeLink(id), password: otherPassword });
    expect([answered.status, answered.body.user.has_totp]).toEqual([201, false]);
    expect(told(await before.ask("/session"))).toEqual([401, 40110]);
    expect((await signedIn(plane, answered).ask("/session")).status).toBe(200);
    expect((await trySignIn(plane, { email, password: otherPassword })).status).toBe(201);
    expect(await plane.database.snapshot((db) => findAccount(db, id))).toMatchObject({
      sealed_totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      recovery_codes: null,
    });
    const event = (await auditEvents(plane)).find(
      ({ object, operation }) => object.id === id && operation === "accept-invitation",
    );
    expect([event.before, event.after]).toEqual([
      { full_name: "Lost Phone", is_confirmed: true },
      { full_name: "Lost Phone", is_confirmed: true, password: "set", one_time_codes: "removed" },
    ]);
  });

  test("that is not good is told to the audit trail, at both doors, and how often", async () => {
    const own = await openPlaneForPeople();
    const post = (path: string, body: object) => own.ask(path, { method: "POST", body });
    const person = { email: "nobody@example.org", full_name: "Nobody", password };
    for (const secret of ["", "A".repeat(43)]) {
      expect(told(await post("/invitation", { secret, password }))).toEqual([400, 40017]);
      expect(told(await post("/first-owner", { secret, ...person }))).toEqual([400, 40017]);
    }
    const refused = (await auditTrail(own)).filter(({ result }) => result === "refused");
    expect(refused).toEqual([
      { ...badLink("accept-invitation"), count: 2 },
      { ...badLink("create-first-owner"), count: 2 },
    ]);
    await own.close();
  });

  test("can be checked without being used up; one that is invalid is in the audit trail", async () => {
    const own = await openPlaneForPeople();
    const id = await own.addUser({ email: "check@example.org", isConfirmed: false, roles: [{ role: "viewer" }] });
    const secret = await own.database.change((db) => createLink(db, "invitation", id, own.clock.now, invitationLife));
    const check = async (purpose: string, headers = {}) => {
      const { status, body } = await own.ask("/link-check", { method: "POST", body: { secret, purpose }, headers });
      return [status, body.is_usable];
    };
    expect([await check("invitation"), await check("invitation")]).toEqual([
      [200, true],
      [200, true],
    ]);
    expect((await check("invitation", { Origin: "https://evil.example" }))[0]).toBe(403);
    expect(await check("first_owner")).toEqual([200, false]);
    const disable = (is_enabled: 0 | 1) => own.database.change((db) => updateAccount(db, id, { is_enabled }));
    await disable(0);
    expect(await check("invitation")).toEqual([200, false]);
    await disable(1);
    expect((await own.ask("/invitation", { method: "POST", body: { secret, password } })).status).toBe(201);
    expect(await check("invitation")).toEqual([200, false]);
    const refused = (await auditTrail(own)).filter(
      ({ result, reason }) => result === "refused" && reason === "linkInvalid",
    );
    expect(refused).toEqual([
      { ...badLink("create-first-owner"), count: 1 },
      { ...badLink("accept-invitation"), count: 2 },
    ]);
    await own.close();
  });

  test("of somebody without a role sets the password and says what is missing, instead of a session that is none", async () => {
    const email = "roleless@example.org";
    const id = await plane.addUser({ email, isConfirmed: false, roles: [] });
    const answered = await accept({ secret: await makeLink(id), password });
    expect([...told(answered), answered.body.errors[0].error_message, answered.headers.getSetCookie()]).toEqual([
      401,
      40107,
      "Your password is set, but you hold no role here yet. Ask an administrator for one, then sign in.",
      [],
    ]);
    const roleId = await plane.roleId("viewer");
    await plane.database.change((db) => grantRole(db, { userId: id, roleId, unitId: root }));
    expect((await trySignIn(plane, { email, password })).status).toBe(201);
  });

  test("is good once, also at the same time", async () => {
    const { secret } = await invite("once@example.org");
    const statuses = await Promise.all([1, 2, 3, 4].map(async () => (await accept({ secret, password })).status));
    expect(statuses.sort()).toEqual([201, 400, 400, 400]);
    expect(told(await accept({ secret, password }))).toEqual([400, 40017]);
  });

  test("outlives a password that cannot be taken", async () => {
    const { secret } = await invite("careless.person@example.org");
    const refused = await accept({ secret, password: "Careless.Person", full_name: " " });
    expect([refused.status, refused.body.errors.map((one: { error_message: string }) => one.error_message)]).toEqual([
      422,
      [
        'The field "full_name" has to be 1 to 200 characters on one line.',
        'The field "password" has to be harder to guess: not a common password, and not your name or address.',
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
          time_zone: "UTC",
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
    const done = (await auditTrail(plane)).filter(({ result }) => result === "done");
    expect(done.at(-1)).toEqual({
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
