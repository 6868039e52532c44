import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resources } from "@holdfast/api/resources/index";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { createLink } from "../../src/access/one-time-links";
import { type Plane, root } from "../harness";
import { addPerson, auditTrail, cookieName, openPlaneForPeople, password, type SignedIn, signIn } from "./people";

let plane: Plane;
let maria: SignedIn;
let other: SignedIn;
beforeAll(async () => {
  plane = await openPlaneForPeople();
  await addPerson(plane, { email: "maria@example.org", roles: [{ role: "owner" }] });
  maria = await signIn(plane, "maria@example.org");
  other = await signIn(plane, "maria@example.org");
});
afterAll(() => plane.close());

const changes = [
  ...resources
    .flatMap(({ versions }) => versions.flatMap(({ operations }) => operations))
    .filter(({ method }) => method !== "get")
    .map(({ method, path }) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, root) })),
  ...sessionPaths
    .filter(({ method, needsSession }) => method !== "get" && needsSession)
    .map(({ method, path }) => ({ method: method.toUpperCase(), path })),
];

/** Everything that is stored, but for what was merely used. */
async function everything() {
  await plane.service.tokenUse.flush();
  return plane.database.snapshot(async (db) => [
    await db.selectFrom("users").select(["id", "email", "password_hash", "sealed_totp_secret"]).orderBy("id").execute(),
    await db.selectFrom("roles").select("id").orderBy("id").execute(),
    await db.selectFrom("organizational_units").select(["id", "name"]).orderBy("id").execute(),
    await db.selectFrom("api_tokens").select(["id", "revoked_at"]).orderBy("id").execute(),
    await db.selectFrom("signing_keys").select(["kid", "replaced_at"]).orderBy("kid").execute(),
    await db.selectFrom("sessions").select("hash").orderBy("hash").execute(),
  ]);
}

describe("T22: another site in a signed-in browser changes nothing", () => {
  const forgeries = (): [string, Record<string, string>][] => [
    ["has no CSRF token", { "X-CSRF-Token": "" }],
    ["has another session's CSRF token", { "X-CSRF-Token": other.csrf }],
    ["has the cookie as CSRF token", { "X-CSRF-Token": maria.cookie }],
    ["has a CSRF token that was cut short", { "X-CSRF-Token": maria.csrf.slice(1) }],
    ["says that it comes from another origin", { Origin: "https://evil.example" }],
    ["says that it comes from nowhere", { Origin: "null" }],
    ["says that it comes from another port", { Origin: "http://holdfast.test:8081" }],
    ["says that it comes from https", { Origin: "https://holdfast.test" }],
    ["says that it comes from another port of the Host", { Origin: "http://localhost:8081" }],
    ["says that it comes from the Host by https", { Origin: "https://localhost" }],
    ["says that it comes from another name of ours than the Host", { Origin: "http://127.0.0.1" }],
    ["says that it comes from a site whose name begins like the Host", { Origin: "http://localhost.evil.example" }],
    [
      "says that it comes from the Host, and the browser that it does not",
      { Origin: "http://localhost", "Sec-Fetch-Site": "same-site" },
    ],
    ["says that it comes from the Host, without the CSRF token", { Origin: "http://localhost", "X-CSRF-Token": "" }],
    ["says that it comes from another site", { "Sec-Fetch-Site": "cross-site" }],
    ["says that it comes from another port of this machine", { "Sec-Fetch-Site": "same-site" }],
  ];

  test.each(changes)("with $method $path", async ({ method, path }) => {
    const before = await everything();
    for (const [, headers] of forgeries()) {
      const answered = await maria.ask(path, { method, headers, body: {} });
      expect([answered.status, answered.body.errors[0].error_code]).toEqual([403, 40304]);
    }
    expect(await everything()).toEqual(before);
  });

  test("with a form or as plain text, even if it had the CSRF token", async () => {
    const before = await everything();
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]) {
      for (const [method, path] of [
        ["POST", "/roles"],
        ["POST", "/session/password"],
        ["POST", "/session"],
        ["POST", "/invitation"],
        ["POST", "/first-owner"],
        ["DELETE", "/session/totp"],
      ] as const) {
        const answered = await maria.ask(path, { method, headers: { "Content-Type": type }, body: { name: "x" } });
        expect([path, answered.status, answered.body.errors[0].error_code]).toEqual([path, 415, 41501]);
      }
    }
    expect(await everything()).toEqual(before);
  });

  test("by making somebody sign in as somebody else", async () => {
    const secret = await plane.database.change((db) => createLink(db, "first_owner", null, plane.clock.now, 60_000));
    const bodies = {
      "/session": { email: "maria@example.org", password },
      "/invitation": { secret, password },
      "/first-owner": { secret, email: "a@example.org", full_name: "A", password },
    };
    for (const [path, body] of Object.entries(bodies)) {
      for (const headers of [{ Origin: "https://evil.example" }, { "Sec-Fetch-Site": "cross-site" }]) {
        const answered = await plane.ask(path, { method: "POST", headers, body });
        expect([answered.status, answered.headers.getSetCookie()]).toEqual([403, []]);
      }
    }
  });

  test("by reading, which changes nothing and needs no CSRF token", async () => {
    const before = await everything();
    const image = {
      Cookie: `${cookieName}=${maria.cookie}`,
      "Sec-Fetch-Site": "cross-site",
      "Sec-Fetch-Dest": "image",
    };
    for (const { path } of changes) await plane.ask(path, { headers: image });
    expect(await everything()).toEqual(before);
  });
});

test("T22: what another site tries is in the audit trail", async () => {
  const before = (await auditTrail(plane)).length;
  await maria.ask("/roles", { method: "POST", headers: { Origin: "https://evil.example" }, body: {} });
  const { id } = (await maria.ask("/session")).body.user;
  expect((await auditTrail(plane)).slice(before)).toEqual([
    {
      actor: { kind: "user", user_id: id, token_id: null, address: "" },
      operation: "create-role",
      object: null,
      result: "refused",
      reason: "originForbidden",
      count: 1,
      after: null,
    },
  ]);
});

test("our own pages change what they like", async () => {
  const headers = { Origin: "http://holdfast.test", "Sec-Fetch-Site": "same-origin" };
  const body = { name: "Auditor", description: "Reads.", permissions: ["tasks:read"] };
  expect((await maria.ask("/roles", { method: "POST", headers, body })).status).toBe(201);
});

test("a token needs no CSRF token, and no session's helps it", async () => {
  const { token } = await plane.serviceToken("owner");
  const body = { name: "Reader", description: "Reads.", permissions: ["tasks:read"] };
  const headers = { Origin: "https://elsewhere.example" };
  expect((await plane.ask("/roles", { method: "POST", token, headers, body })).status).toBe(201);
});

describe("T22: a page of the Host that the request itself names", () => {
  const headers = { "Sec-Fetch-Site": "same-origin" };

  test.each([
    ["localhost", "http://localhost"],
    ["LOCALHOST:80", "http://localhost"],
    ["localhost:8080", "http://localhost:8080"],
    ["127.0.0.1:8080", "http://127.0.0.1:8080"],
    ["[::1]:8080", "http://[::1]:8080"],
  ])("changes what it likes and signs in: %s", async (Host, Origin) => {
    const body = { name: `Made at ${Host}`, permissions: ["tasks:read"] };
    const sent = { ...headers, Host, Origin };
    expect((await maria.ask("/roles", { method: "POST", headers: sent, body })).status).toBe(201);
    const person = { email: "maria@example.org", password };
    expect((await plane.ask("/session", { method: "POST", headers: sent, body: person })).status).toBe(201);
  });

  test.each([
    ["localhost:8080", "http://localhost:8081"],
    ["localhost:8080", "http://127.0.0.1:8080"],
    ["holdfast.test", "http://localhost"],
  ])("is not %s to a page of %s", async (Host, Origin) => {
    const sent = { ...headers, Host, Origin };
    const body = { name: "Forged", permissions: ["tasks:read"] };
    const changed = await maria.ask("/roles", { method: "POST", headers: sent, body });
    expect([changed.status, changed.body.errors[0].error_code]).toEqual([403, 40304]);
    const person = { email: "maria@example.org", password };
    const entered = await plane.ask("/session", { method: "POST", headers: sent, body: person });
    expect([entered.status, entered.headers.getSetCookie()]).toEqual([403, []]);
  });

  test("is refused where the Host is none of ours, before anything else", async () => {
    const sent = { ...headers, Host: "evil.example", Origin: "http://evil.example" };
    const answered = await maria.ask("/roles", { method: "POST", headers: sent, body: {} });
    expect([answered.status, answered.body.errors[0].error_code]).toEqual([400, 40012]);
  });
});
