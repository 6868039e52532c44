import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { findAccount, updateAccount } from "../../src/access/accounts";
import { setUserEnabled } from "../../src/resources/users/store";
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
const nothing = { password: false, totp: false, sessions: 0, api_tokens: 0 };
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
          ended: { password: true, totp: true, sessions: 2, api_tokens: 1 },
        },
      },
    ]);
  });

  test("ends nothing but the former session where the browser is signed in to that very account", async () => {
    const person = personCalled("honest");
    const id = await addPerson(plane, { email: person.email });
    const [here, elsewhere] = [await signIn(plane, person.email), await signIn(plane, person.email)];
    const token = await makeToken(elsewhere);
    const session = await sessionOf(await visitAs(person, here.cookie));
    expect(session.user).toMatchObject({ id, has_password: true });
    expect([
      await statusOf(here.ask("/session")),
      await statusOf(elsewhere.ask("/session")),
      await statusOf(plane.ask("/tasks", { token })),
      await statusOf(trySignIn(plane, { email: person.email, password })),
    ]).toEqual([401, 200, 200, 201]);
    expect((await linkEvents(id)).map(({ after }) => after)).toEqual([
      { issuer: opened.provider.issuer, ended: nothing },
    ]);
  });

  test("is not helped by a session of somebody else, nor by one that has ended", async () => {
    const [person, other] = [personCalled("first"), personCalled("second")];
    const [id, otherId] = [
      await addPerson(plane, { email: person.email }),
      await addPerson(plane, { email: other.email }),
    ];
    const theirs = await signIn(plane, other.email);
    await sessionOf(await visitAs(person, theirs.cookie));
    expect(await accountOf(id)).toMatchObject(noKeys);
    const ended = await signIn(plane, other.email);
    await ended.ask("/session", { method: "DELETE" });
    await sessionOf(await visitAs(other, ended.cookie));
    expect(await accountOf(otherId)).toMatchObject(noKeys);
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

  test("takes a second name of its own person at the provider, who is signed in to it", async () => {
    const person = personCalled("moved");
    const answered = await visitAs(person);
    const { user } = await sessionOf(answered);
    await sessionOf(await visitAs({ ...person, sub: "moved-2" }, sessionCookie(answered)));
    expect(await identitiesOf(user.id)).toEqual(["moved", "moved-2"]);
  });
});
