import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { setUserEnabled } from "../../src/resources/users/store";
import { openPlane, type Plane } from "../harness";
import { addNamedUnit, cookiesOf, type OpenIdPlane, openPlaneWithProvider, rolesOf, told } from "./openid-plane";
import { clientId, clientSecret, startProvider, type TestProvider } from "./openid-provider";
import { auditTrail } from "./people";

const unit = "3f0c9a3e-6d0b-4a52-9a36-1f3f0c1d2e4b";
let opened: OpenIdPlane;
let plane: Plane;
let provider: TestProvider;
let visitAs: OpenIdPlane["visitAs"];
let sessionOf: OpenIdPlane["sessionOf"];

beforeAll(async () => {
  opened = await openPlaneWithProvider({
    oidc_group_roles: `staff=viewer, ops=operator@${unit}, ops=viewer, bosses=owner, ghosts=ghost`,
  });
  ({ plane, provider, visitAs, sessionOf } = opened);
  await addNamedUnit(plane, unit, "Hamburg");
});
afterAll(() => opened.close());

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
      time_zone: "UTC",
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
      ["synchronise-groups", actor, { granted: [{ role_id: await plane.roleId("operator") }], revoked: [] }],
      ["synchronise-groups", actor, { granted: [{ role_id: await plane.roleId("viewer") }], revoked: [] }],
      ["openid-sign-in", actor, { issuer: provider.issuer }],
    ]);
  });

  test.each([
    ["turns", "evil\u202Egpj.exe", "evil gpj.exe"],
    ["breaks", "Ida\u2028Berg\u0001", "Ida Berg"],
    ["composes", "Rene\u0301", "Ren\u00e9"],
    ["long", "\u{1f600}".repeat(300), "\u{1f600}".repeat(200)],
    ["control", "\u0001", "control@example.org"],
    ["unseen", "\u200b\u2060", "unseen@example.org"],
  ])("keeps of a name what can be shown on one line, or takes the address (%s)", async (sub, name, kept) => {
    const person = { sub, email: `${sub}@example.org`, email_verified: true, name, groups: ["staff"] };
    const { user } = await sessionOf(await visitAs(person));
    expect(user.full_name).toBe(kept);
    const made = (await auditTrail(plane)).filter(({ object }) => object?.id === user.id);
    expect(made[0]?.after).toEqual({ email: person.email, full_name: kept, issuer: provider.issuer });
  });

  test("knows somebody again whose address has changed", async () => {
    const person = { sub: "otto", email: "otto@example.org", email_verified: true, groups: ["staff"] };
    const first = await sessionOf(await visitAs(person));
    const again = await sessionOf(await visitAs({ ...person, email: "otto.new@example.org", email_verified: false }));
    expect(again.user).toEqual(first.user);
  });

  describe("is refused", () => {
    let before: number;
    beforeEach(async () => {
      before = await countRefused();
    });

    /** Number of refused sign-ins with the provider, as the audit trail tells. */
    async function countRefused(): Promise<number> {
      const refused = (await auditTrail(plane)).filter((event) => event.result === "refused");
      return refused.reduce((sum, { operation, count }) => sum + (operation === "openid-sign-in" ? count : 0), 0);
    }

    test("to somebody unknown whose groups have no role", async () => {
      const person = { sub: "stranger", email: "stranger@example.org", email_verified: true, groups: ["ghosts"] };
      expect(told(await visitAs(person))).toEqual([401, 40107, []]);
      expect(await countRefused()).toBe(before + 1);
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
      expect(await countRefused()).toBe(before + 4);
      expect((await come(cookie)).status).toBe(303);
      expect(told(await come(cookie))).toEqual([401, 40108, []]);
      expect(await countRefused()).toBe(before + 5);
    });

    test("to somebody who took more than ten minutes", async () => {
      provider.person = { sub: "ida", groups: ["staff"] };
      const begun = await plane.ask("/sign-in/oidc");
      const back = new URL(await provider.visit(begun.headers.get("location") ?? ""));
      plane.clock.now += 600_000;
      const come = plane.ask(`${back.pathname}${back.search}`, { headers: { Cookie: cookiesOf(begun) } });
      expect(told(await come)).toEqual([401, 40108, []]);
      expect(await countRefused()).toBe(before + 1);
    });

    test("with a code that is made up, with an error of the provider, and with nothing", async () => {
      for (const query of ["code=made-up", "error=access_denied", ""]) {
        const begun = await plane.ask("/sign-in/oidc");
        const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state");
        const path = `/sign-in/oidc/callback?${query}&state=${state}&iss=${encodeURIComponent(provider.issuer)}`;
        expect(told(await plane.ask(path, { headers: { Cookie: cookiesOf(begun) } }))).toEqual([401, 40108, []]);
      }
      expect(await countRefused()).toBe(before + 3);
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
