import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Plane } from "../harness";
import { type OpenIdPlane, openPlaneWithProvider } from "./openid-plane";
import { auditTrail } from "./people";

let opened: OpenIdPlane;
let plane: Plane;
beforeAll(async () => {
  opened = await openPlaneWithProvider({ oidc_group_roles: "staff=viewer" });
  ({ plane } = opened);
});
afterAll(() => opened.close());

const notVouched = "The OpenID provider has to vouch for your e-mail address. Have it confirmed.";
const contradicted =
  "The OpenID provider contradicts itself about your e-mail address. Ask its administrator to correct that.";
const refusedAs = (error_message: string) => [401, { errors: [{ error_code: 40108, error_message }] }];

/** The identities that a user of this address has. */
const linkedTo = (email: string) =>
  plane.database.snapshot((db) =>
    db
      .selectFrom("identities")
      .innerJoin("users", "users.id", "identities.user_id")
      .select("subject")
      .where("email", "=", email)
      .execute(),
  );

test.each([
  [
    "userinfo's word that an address is verified is not taken for the one in the ID token",
    { sub: "one", email_verified: true, idToken: { email: "admin@example.org" } },
    notVouched,
  ],
  [
    "the ID token's word that an address is verified is not taken for the one in userinfo",
    { sub: "two", email: "admin@example.org", idToken: { email_verified: true } },
    notVouched,
  ],
  [
    "an ID token and userinfo that name two addresses let no one in, be both verified",
    {
      sub: "three",
      email: "admin@example.org",
      email_verified: true,
      idToken: { email: "mallory@example.org", email_verified: true },
    },
    contradicted,
  ],
  [
    "an address that is verified in the ID token and not in userinfo lets no one in",
    {
      sub: "four",
      email: "admin@example.org",
      email_verified: false,
      idToken: { email: "admin@example.org", email_verified: true },
    },
    contradicted,
  ],
])("%s", async (_, person, sentence) => {
  const since = (await auditTrail(plane)).length;
  await plane.database.change((db) => db.deleteFrom("users").execute());
  await plane.addUser({ email: "admin@example.org", roles: [{ role: "admin" }] });
  const { status, body } = await opened.visitAs({ ...person, groups: ["staff"] });
  expect([status, body]).toEqual(refusedAs(sentence));
  expect(await linkedTo("admin@example.org")).toEqual([]);
  const events = (await auditTrail(plane)).slice(since);
  expect(events.map(({ operation, result, reason, count }) => [operation, result, reason, count])).toEqual([
    ["openid-sign-in", "refused", "signInFailed", 1],
  ]);
});

test("a person who has come before is refused, too, while the provider contradicts itself, and the log says so without the addresses", async () => {
  const ida = { sub: "ida", email: "ida@example.org", email_verified: true, groups: ["staff"] };
  const { user } = await opened.sessionOf(
    await opened.visitAs({ ...ida, idToken: { email: "Ida@example.org", email_verified: true } }),
  );
  expect(user.email).toBe("Ida@example.org");
  const { status, body } = await opened.visitAs({ ...ida, idToken: { email: "ida.berg@example.org" } });
  expect([status, body]).toEqual(refusedAs(contradicted));
  expect((await opened.visitAs(ida)).status).toBe(303);
  plane.service.log.flush();
  const logged = plane.logged.join("");
  expect(logged).toContain("The OpenID provider names one e-mail address in its ID token and another one in userinfo.");
  expect(logged).not.toContain("berg@example.org");
});
