import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { setUserEnabled } from "../../src/resources/users/store";
import { type Answered, openPlane, type Plane, root } from "../harness";
import { clientId, clientSecret, type ProviderPerson, startProvider, type TestProvider } from "./openid-provider";
import { auditTrail, cookieName, sessionCookie } from "./people";

const unit = "3f0c9a3e-6d0b-4a52-9a36-1f3f0c1d2e4b";
let provider: TestProvider;
let plane: Plane;

beforeAll(async () => {
  provider = await startProvider("http://holdfast.test/sign-in/oidc/callback");
  plane = await openPlane({
    oidc_issuer: provider.issuer,
    oidc_client_id: clientId,
    oidc_client_secret: clientSecret,
    oidc_scopes: "openid email profile groups",
    oidc_group_roles: `staff=viewer, ops=operator@${unit}, ops=viewer, bosses=owner, ghosts=ghost`,
  });
  await plane.database.change(async (db) => {
    const names = { name: "Hamburg", name_lower: "hamburg", name_folded: "hamburg" };
    await db
      .insertInto("organizational_units")
      .values({ id: unit, parent_id: root, ...names, created_at: 0 })
      .execute();
    const paths = [unit, root].map((ancestor_id) => ({ ancestor_id, unit_id: unit }));
    await db.insertInto("organizational_unit_paths").values(paths).execute();
  });
});
afterAll(async () => {
  await plane.close();
  await provider.close();
});

const cookiesOf = ({ headers }: Answered) =>
  headers
    .getSetCookie()
    .map((cookie) => cookie.split(";")[0])
    .join("; ");
const told = ({ status, body, headers }: Answered) => [
  status,
  body?.errors?.[0]?.error_code,
  headers.getSetCookie().filter((cookie) => cookie.startsWith("holdfast_session")),
];

/** Signs in at the provider as somebody, and gives what we answer when the browser comes back. */
async function visitAs(person: ProviderPerson): Promise<Answered> {
  provider.person = person;
  const begun = await plane.ask("/sign-in/oidc");
  const back = new URL(await provider.visit(begun.headers.get("location") ?? ""));
  return plane.ask(`${back.pathname}${back.search}`, { headers: { Cookie: cookiesOf(begun) } });
}

async function sessionOf(answered: Answered) {
  expect([answered.status, answered.headers.get("location")]).toEqual([303, "http://holdfast.test/"]);
  const headers = { Cookie: `${cookieName}=${sessionCookie(answered)}` };
  return (await plane.ask("/session", { headers })).body;
}

/** The roles of a session as `role@unit`. */
function rolesOf(session: { organizational_units: { organizational_unit_id: string; roles: { name: string }[] }[] }) {
  return session.organizational_units.flatMap(({ organizational_unit_id, roles }) =>
    roles.map(({ name }) => `${name}@${organizational_unit_id === root ? "root" : organizational_unit_id}`),
  );
}

describe("signing in with OpenID Connect", () => {
  test("begins with a redirect that carries PKCE, state and nonce, none of them secret", async () => {
    const begun = await plane.ask("/sign-in/oidc");
    const address = new URL(begun.headers.get("location") ?? "");
    expect([begun.status, begun.headers.get("cache-control"), address.origin]).toEqual([
      303,
      "no-store",
      provider.issuer,
    ]);
    expect(Object.fromEntries(address.searchParams)).toEqual({
      response_type: "code",
      client_id: clientId,
      redirect_uri: "http://holdfast.test/sign-in/oidc/callback",
      scope: "openid email profile groups",
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
    });
    expect(begun.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^holdfast_sign_in=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ]);
    expect(begun.headers.getSetCookie()[0]).not.toContain(address.searchParams.get("state") ?? "");
  });

  test("makes a user of somebody whose groups have a role, and lets them in", async () => {
    const answered = await visitAs({
      sub: "ida",
      email: "ida@example.org",
      email_verified: true,
      name: "Ida Berg",
      groups: ["ops", "others"],
    });
    const session = await sessionOf(answered);
    expect(session.user).toEqual({
      id: expect.any(String),
      email: "ida@example.org",
      full_name: "Ida Berg",
      has_password: false,
      has_totp: false,
    });
    expect(rolesOf(session)).toEqual([`operator@${unit}`, "viewer@root"]);
    expect(answered.headers.getSetCookie()).toContain("holdfast_sign_in=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    const { id } = session.user;
    const actor = { kind: "user", user_id: id, token_id: null, address: "" };
    const events = (await auditTrail(plane)).filter(({ object }) => object?.id === id);
    expect(events.map(({ operation, after, ...event }) => [operation, event.actor, after])).toEqual([
      ["create-user", actor, { email: "ida@example.org", full_name: "Ida Berg", issuer: provider.issuer }],
      [
        "openid-sign-in",
        actor,
        {
          issuer: provider.issuer,
          granted: [
            { role_id: await plane.roleId("operator"), organizational_unit_id: unit },
            { role_id: await plane.roleId("viewer"), organizational_unit_id: root },
          ],
          revoked: [],
        },
      ],
    ]);
  });

  test("knows somebody again whose address has changed", async () => {
    const person = { sub: "otto", email: "otto@example.org", email_verified: true, groups: ["staff"] };
    const first = await sessionOf(await visitAs(person));
    const again = await sessionOf(await visitAs({ ...person, email: "otto.new@example.org", email_verified: false }));
    expect(again.user).toEqual(first.user);
  });

  test("follows the groups at every sign-in, and leaves other grants alone", async () => {
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

  test("confirms somebody who was invited, by an address that the provider vouches for", async () => {
    const id = await plane.addUser({ email: "new@example.org", isConfirmed: false, roles: [{ role: "reporter" }] });
    const session = await sessionOf(await visitAs({ sub: "new", email: "new@example.org", email_verified: true }));
    expect([session.user.id, rolesOf(session)]).toEqual([id, ["reporter@root"]]);
    const row = plane.database.snapshot((db) =>
      db.selectFrom("users").select("is_confirmed").where("id", "=", id).execute(),
    );
    expect(await row).toEqual([{ is_confirmed: 1 }]);
  });

  test("does not take the last owner away because of a group", async () => {
    const boss = { sub: "boss", email: "boss@example.org", email_verified: true };
    const deputy = { sub: "deputy", email: "deputy@example.org", email_verified: true };
    await visitAs({ ...boss, groups: ["bosses"] });
    expect(rolesOf(await sessionOf(await visitAs({ ...boss, groups: ["staff"] })))).toEqual([
      "owner@root",
      "viewer@root",
    ]);
    await visitAs({ ...deputy, groups: ["bosses"] });
    expect(rolesOf(await sessionOf(await visitAs({ ...boss, groups: ["staff"] })))).toEqual(["viewer@root"]);
  });

  describe("is refused", () => {
    beforeEach(() => plane.service.refusals.flush());

    test("to somebody unknown whose groups have no role", async () => {
      const person = { sub: "stranger", email: "stranger@example.org", email_verified: true, groups: ["ghosts"] };
      expect(told(await visitAs(person))).toEqual([401, 40107, []]);
      const { token } = await plane.serviceToken("viewer");
      const found = await plane.ask(`/users?filter=${encodeURIComponent('{"name":"stranger@example.org"}')}`, {
        token,
      });
      expect(found.body.total_count).toBe(0);
      plane.service.log.flush();
      expect(plane.logged.join("")).toContain("ghosts=ghost@00000000-0000-0000-0000-000000000000");
    });

    test.each([
      ["does not vouch for", { email_verified: false }],
      ["says nothing about", {}],
    ])("to somebody whose address the provider %s, be it a known one", async (how, verified) => {
      const email = `${how.split(" ")[0]}@example.org`;
      await plane.addUser({ email, roles: [{ role: "admin" }] });
      expect(told(await visitAs({ sub: how, email, ...verified, groups: ["staff"] }))).toEqual([401, 40108, []]);
      expect(told(await visitAs({ sub: how, email: `2${email}`, ...verified, groups: ["staff"] }))).toEqual([
        401,
        40108,
        [],
      ]);
    });

    test("to somebody without an address", async () => {
      expect(told(await visitAs({ sub: "no-address", groups: ["staff"] }))).toEqual([401, 40108, []]);
    });

    test("to somebody who is disabled here", async () => {
      const person = { sub: "gone", email: "gone@example.org", email_verified: true, groups: ["staff"] };
      const { user } = await sessionOf(await visitAs(person));
      await plane.database.change((db) => setUserEnabled(db, user.id, false));
      expect(told(await visitAs(person))).toEqual([401, 40108, []]);
      expect((await auditTrail(plane)).at(-1)).toMatchObject({
        operation: "openid-sign-in",
        object: { type: "user", id: user.id },
        result: "refused",
        reason: "signInFailed",
      });
    });

    test("to a browser that did not begin it, or that began another one", async () => {
      provider.person = { sub: "ida", groups: ["staff"] };
      const [begun, other] = [await plane.ask("/sign-in/oidc"), await plane.ask("/sign-in/oidc")];
      const back = new URL(await provider.visit(begun.headers.get("location") ?? ""));
      const come = (cookie: string) => plane.ask(`${back.pathname}${back.search}`, { headers: { Cookie: cookie } });
      const cookie = cookiesOf(begun);
      for (const wrong of ["", "holdfast_sign_in=", `${cookie}A`, cookiesOf(other)]) {
        expect(told(await come(wrong))).toEqual([401, 40108, []]);
      }
      expect((await come(cookie)).status).toBe(303);
      expect(told(await come(cookie))).toEqual([401, 40108, []]);
    });

    test("to somebody who took more than ten minutes", async () => {
      provider.person = { sub: "ida", groups: ["staff"] };
      const begun = await plane.ask("/sign-in/oidc");
      const back = new URL(await provider.visit(begun.headers.get("location") ?? ""));
      plane.clock.now += 600_000;
      const come = plane.ask(`${back.pathname}${back.search}`, { headers: { Cookie: cookiesOf(begun) } });
      expect(told(await come)).toEqual([401, 40108, []]);
    });

    test("with a code that is made up, with an error of the provider, and with nothing", async () => {
      for (const query of ["code=made-up", "error=access_denied", ""]) {
        const begun = await plane.ask("/sign-in/oidc");
        const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
        const path = `/sign-in/oidc/callback?${query}&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
        expect(told(await plane.ask(path, { headers: { Cookie: cookiesOf(begun) } }))).toEqual([401, 40108, []]);
      }
    });
  });

  test("logs neither codes nor secrets", () => {
    plane.service.log.flush();
    const logged = plane.logged.join("");
    expect(logged).toContain("Signing in with the OpenID provider has failed.");
    expect(logged).not.toMatch(/code=|state=|eyJ/);
    expect(logged).not.toContain(clientSecret);
  });
});

test("without a provider there is nothing at its paths", async () => {
  const plain = await openPlane();
  for (const path of ["/sign-in/oidc", "/sign-in/oidc/callback?code=1"]) {
    expect(told(await plain.ask(path))).toEqual([404, 40401, []]);
  }
  await plain.close();
});

test("a provider that is away is 503, and asked again the next time", async () => {
  const gone = await startProvider("http://holdfast.test/sign-in/oidc/callback");
  await gone.close();
  const lonely = await openPlane({ oidc_issuer: gone.issuer, oidc_client_id: clientId });
  for (const _ of [1, 2]) {
    const answered = await lonely.ask("/sign-in/oidc");
    expect([...told(answered), answered.headers.get("retry-after")]).toEqual([503, 50303, [], "5"]);
  }
  await lonely.close();
});
