import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { setUserEnabled } from "../../src/resources/users/store";
import { findAccount, updateAccount } from "../../src/sign-in/accounts";
import type { Plane } from "../harness";
import { type OpenIdPlane, openPlaneWithProvider, rolesOf, told } from "./openid-plane";
import { addPerson, auditEvents, cookieName, password, sessionCookie, signedIn, signIn, trySignIn } from "./people";

let opened: OpenIdPlane;
let plane: Plane;
let visitAs: OpenIdPlane["visitAs"];
let sessionOf: OpenIdPlane["sessionOf"];

beforeAll(async () => {
  opened = await openPlaneWithProvider({ oidc_group_roles: "staff=viewer, bosses=owner" });
  ({ plane, visitAs, sessionOf } = opened);
});
afterAll(() => opened.close());

/** Somebody whose address the provider vouches for. */
function personCalled(sub: string) {
  return { sub, email: `${sub}@example.org`, email_verified: true, groups: ["staff"] };
}

const accountOf = (id: string) => plane.database.snapshot((db) => findAccount(db, id));
const identitiesOf = async (id: string) => {
  const rows = plane.database.snapshot((db) =>
    db.selectFrom("identities").select("subject").where("user_id", "=", id).orderBy("subject").execute(),
  );
  return (await rows).map(({ subject }) => subject);
};
const linkEvents = async (id: string) =>
  (await auditEvents(plane)).filter(({ operation, object }) => operation === "link-identity" && object.id === id);
const statusOf = async (answered: Promise<{ status: number }>) => (await answered).status;
const noKeys = {
  password_hash: null,
  sealed_totp_secret: null,
  totp_confirmed_at: null,
  totp_last_step: null,
  recovery_codes: null,
};

/** Makes a personal token as whoever has signed in. */
async function makeToken({ ask }: ReturnType<typeof signedIn>): Promise<string> {
  const made = await ask("/api-tokens", { method: "POST", body: { name: "mine", kind: "personal" } });
  expect(made.status).toBe(201);
  return made.body.token;
}

describe("the first sign-in with OpenID Connect to an account that is there", () => {
  test("ends all that whoever followed the invitation has made, and tells the audit trail", async () => {
    const unit = await plane.addUnit("Mallory's");
    const mallory = await plane.addUser({ roles: [{ role: "admin", unitId: unit }] });
    const { token } = await plane.personalToken(mallory, unit);
    const invited = await plane.ask("/users", {
      method: "POST",
      token,
      unit,
      body: {
        email: "victim@example.org",
        full_name: "Vic Tim",
        access_control_configuration: [{ role_id: await plane.roleId("viewer"), organizational_unit_ids: [unit] }],
      },
    });
    const { id } = invited.body;
    const [, secret] = invited.body.invitation_link.split("#");
    const hers = signedIn(plane, await plane.ask("/invitation", { method: "POST", body: { secret, password } }));
    const again = await signIn(plane, "victim@example.org");
    const herToken = await makeToken(hers);
    const operators = await plane.personalToken(id, unit);
    const secrets = { sealed_totp_secret: "sealed", totp_confirmed_at: 1, totp_last_step: 1, recovery_codes: "[]" };
    await plane.database.change((db) => updateAccount(db, id, secrets));

    const session = await sessionOf(await visitAs({ ...personCalled("victim"), groups: ["bosses"] }));

    expect(session.user).toMatchObject({ id, has_password: false, has_totp: false });
    expect(rolesOf(session)).toEqual([`viewer@${unit}`, "owner@root"]);
    expect([
      await statusOf(hers.ask("/session")),
      await statusOf(again.ask("/tasks")),
      await statusOf(plane.ask("/tasks", { token: herToken })),
      await statusOf(trySignIn(plane, { email: "victim@example.org", password })),
      await statusOf(plane.ask("/tasks", { token: operators.token })),
    ]).toEqual([401, 401, 401, 401, 200]);
    expect(await accountOf(id)).toMatchObject(noKeys);
    expect(await linkEvents(id)).toMatchObject([
      {
        actor: { kind: "user", user_id: id, token_id: null, address: "" },
        object: { type: "user", id },
        organizational_unit_id: unit,
        result: "done",
        before: null,
        after: {
          issuer: opened.provider.issuer,
          ended: { password: true, totp: true, identities: 0, sessions: 2, api_tokens: 1 },
        },
      },
    ]);
  });

  test("ends all of it also in a browser that is signed in to that very account", async () => {
    const person = personCalled("honest");
    const id = await addPerson(plane, { email: person.email });
    const [here, elsewhere] = [await signIn(plane, person.email), await signIn(plane, person.email)];
    const token = await makeToken(elsewhere);
    const session = await sessionOf(await visitAs({ ...person, groups: ["bosses"] }, { session: here.cookie }));
    expect(session.user).toMatchObject({ id, has_password: false });
    expect([
      await statusOf(here.ask("/session")),
      await statusOf(elsewhere.ask("/session")),
      await statusOf(plane.ask("/tasks", { token })),
      await statusOf(trySignIn(plane, { email: person.email, password })),
    ]).toEqual([401, 401, 401, 401]);
    expect(await accountOf(id)).toMatchObject(noKeys);
    expect((await linkEvents(id)).map(({ after }) => after)).toEqual([
      {
        issuer: opened.provider.issuer,
        ended: { password: true, totp: false, identities: 0, sessions: 2, api_tokens: 1 },
      },
    ]);
  });

  test.each(["cross-site", "same-site", "what-is-to-come"])(
    "is refused where another page has begun it (%s), and links and ends nothing",
    async (site) => {
      const person = personCalled(`lured-${site}`);
      const id = await addPerson(plane, { email: person.email });
      const theirs = await signIn(plane, person.email);
      const token = await makeToken(theirs);
      const before = await accountOf(id);

      const refused = await visitAs({ ...person, groups: ["bosses"] }, { session: theirs.cookie, site });

      expect(told(refused)).toEqual([401, 40108, []]);
      const message =
        "The first time, begin here: type http://holdfast.test/sign-in/oidc into the browser, or go there from a page of http://holdfast.test.";
      expect(refused.body).toEqual({ errors: [{ error_code: 40108, error_message: message }] });
      expect((await auditEvents(plane)).at(-1)).toMatchObject({
        operation: "openid-sign-in",
        object: { type: "user", id },
        result: "refused",
        reason: "signInFailed",
      });
      expect([await accountOf(id), await identitiesOf(id), await linkEvents(id)]).toEqual([before, [], []]);
      expect(rolesOf((await theirs.ask("/session")).body)).toEqual(["viewer@root"]);
      expect([
        await statusOf(plane.ask("/tasks", { token })),
        await statusOf(trySignIn(plane, { email: person.email, password })),
      ]).toEqual([200, 201]);
    },
  );

  test.each(["same-origin", "none"])("is let in where we or the person have begun it (%s)", async (site) => {
    const person = personCalled(`came-${site}`);
    const id = await addPerson(plane, { email: person.email });
    await sessionOf(await visitAs(person, { site }));
    expect(await identitiesOf(id)).toEqual([person.sub]);
  });

  test("confirms somebody who was invited, and makes the invitation void", async () => {
    const { token } = await plane.serviceToken("owner");
    const body = { email: "new@example.org", full_name: "New" };
    const invited = await plane.ask("/users", { method: "POST", token, body });
    const [, secret] = invited.body.invitation_link.split("#");
    const session = await sessionOf(await visitAs(personCalled("new")));
    expect([session.user.id, rolesOf(session)]).toEqual([invited.body.id, ["viewer@root"]]);
    expect(await accountOf(invited.body.id)).toMatchObject({ is_confirmed: 1 });
    const followed = await plane.ask("/invitation", { method: "POST", body: { secret, password } });
    expect(told(followed)).toEqual([400, 40017, []]);
    expect(await accountOf(invited.body.id)).toMatchObject(noKeys);
  });

  test("is refused while the account is disabled, and links and ends nothing", async () => {
    const person = personCalled("disabled");
    const id = await addPerson(plane, { email: person.email });
    await plane.database.change((db) => setUserEnabled(db, id, false));
    expect(told(await visitAs(person))).toEqual([401, 40108, []]);
    expect([await identitiesOf(id), await linkEvents(id)]).toEqual([[], []]);
    await plane.database.change((db) => setUserEnabled(db, id, true));
    expect(await statusOf(trySignIn(plane, { email: person.email, password }))).toBe(201);
  });

  test("takes no account whose address is another mailbox that only looks alike", async () => {
    const id = await addPerson(plane, { email: "strasse@example.org" });
    expect(told(await visitAs({ ...personCalled("alike"), email: "straße@example.org" }))).toEqual([401, 40108, []]);
    expect(await identitiesOf(id)).toEqual([]);
    await sessionOf(await visitAs({ ...personCalled("really"), email: "Strasse@Example.org" }));
    expect(await identitiesOf(id)).toEqual(["really"]);
  });
});

describe("an account that is linked", () => {
  test("loses nothing when its person comes again", async () => {
    const person = personCalled("regular");
    const first = await visitAs(person);
    const { user } = await sessionOf(first);
    const headers = { Cookie: `${cookieName}=${sessionCookie(first)}` };
    const shown = (await plane.ask("/session", { headers })).body;
    const token = await makeToken(signedIn(plane, { ...first, body: shown }));
    await sessionOf(await visitAs(person));
    expect([
      await statusOf(plane.ask("/session", { headers })),
      await statusOf(plane.ask("/tasks", { token })),
    ]).toEqual([200, 200]);
    expect(await linkEvents(user.id)).toEqual([]);
  });

  test("is not given to somebody else who has got its address at the provider", async () => {
    const person = personCalled("former");
    const { user } = await sessionOf(await visitAs(person));
    await sessionOf(await visitAs({ ...person, email: "married@example.org" }));
    expect(told(await visitAs({ ...personCalled("successor"), email: person.email }))).toEqual([401, 40108, []]);
    expect(await identitiesOf(user.id)).toEqual(["former"]);
    expect((await auditEvents(plane)).at(-1)).toMatchObject({
      operation: "openid-sign-in",
      object: { type: "user", id: user.id },
      result: "refused",
      reason: "signInFailed",
    });
  });

  test("goes along to a new name of its own person at the provider, who is signed in to it, and is nobody else's", async () => {
    const person = personCalled("moved");
    const answered = await visitAs(person);
    const { user } = await sessionOf(answered);
    const headers = { Cookie: `${cookieName}=${sessionCookie(answered)}` };
    const shown = (await plane.ask("/session", { headers })).body;
    const token = await makeToken(signedIn(plane, { ...answered, body: shown }));

    const moved = { ...person, sub: "moved-2", groups: ["bosses"] };
    const session = await sessionOf(await visitAs(moved, { session: sessionCookie(answered) }));

    expect(session.user.id).toBe(user.id);
    expect(await identitiesOf(user.id)).toEqual(["moved-2"]);
    expect([
      await statusOf(plane.ask("/session", { headers })),
      await statusOf(plane.ask("/tasks", { token })),
    ]).toEqual([401, 401]);
    expect(told(await visitAs(person))).toEqual([401, 40108, []]);
    expect((await linkEvents(user.id)).map(({ after }) => after.ended)).toEqual([
      { password: false, totp: false, identities: 1, sessions: 1, api_tokens: 1 },
    ]);
  });

  test("goes along to no new name with a session of somebody else, nor with one that has ended", async () => {
    const [person, other] = [personCalled("stays"), personCalled("neighbour")];
    const answered = await visitAs(person);
    const { user } = await sessionOf(answered);
    const theirs = sessionCookie(await visitAs(other));
    await plane.database.change((db) => plane.service.sessions.endAll(db, user.id));
    for (const session of [theirs, sessionCookie(answered)]) {
      expect(told(await visitAs({ ...person, sub: "stays-2" }, { session }))).toEqual([401, 40108, []]);
    }
    expect(await identitiesOf(user.id)).toEqual(["stays"]);
  });

  test("goes along to no new name where another page has begun it", async () => {
    const person = personCalled("clicked");
    const answered = await visitAs(person);
    const { user } = await sessionOf(answered);
    const browser = { session: sessionCookie(answered), site: "cross-site" };
    expect(told(await visitAs({ ...person, sub: "clicked-2" }, browser))).toEqual([401, 40108, []]);
    expect(await identitiesOf(user.id)).toEqual(["clicked"]);
  });

  test("lets its person in, as a new one does, also where another page has begun it", async () => {
    const person = personCalled("portal");
    const first = await sessionOf(await visitAs(person, { site: "cross-site" }));
    const again = await sessionOf(await visitAs(person, { site: "same-site" }));
    expect([first.user.email, again.user.id]).toEqual([person.email, first.user.id]);
  });
});
