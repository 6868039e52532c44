import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { resources } from "@holdfast/api/resources/index";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { createLink } from "../../src/access/one-time-links";
import { totpCode, totpStep } from "../../src/sign-in/totp";
import { type Plane, root } from "../harness";
import { addPerson, cookieName, openPlaneForPeople, password, signIn } from "./people";

/** Every secret that the service gives out, by what it is. */
const secrets: Record<string, string> = {};
let plane: Plane;
beforeAll(async () => {
  plane = await openPlaneForPeople();
  const id = await addPerson(plane, { email: "maria@example.org", roles: [{ role: "owner" }] });
  const maria = await signIn(plane, "maria@example.org");
  await plane.addTasks([{}, {}]);
  const { secret } = (await maria.ask("/session/totp", { method: "POST", body: { password } })).body;
  const code = totpCode(secret, totpStep(plane.clock.now));
  const confirmed = await maria.ask("/session/totp/confirm", { method: "POST", body: { code } });
  const page = await maria.ask("/tasks?limit=1");
  Object.assign(secrets, {
    session: maria.cookie,
    csrf: maria.csrf,
    invitation: await plane.database.change((db) => createLink(db, "invitation", id, plane.clock.now, 60_000)),
    firstOwner: await plane.database.change((db) => createLink(db, "first_owner", null, plane.clock.now, 60_000)),
    cursor: new URLSearchParams(String(page.body._links.next.href).split("?")[1]).get("cursor") ?? "",
    totpSecret: secret,
    recoveryCode: confirmed.body.recovery_codes[0],
    token: (await plane.personalToken(id)).token,
    userId: id,
    signInState: plane.controlPlane.sealer.seal("{}", "openid sign-in"),
  });
});
afterAll(() => plane.close());

const kinds = [
  ...["session", "csrf", "invitation", "firstOwner", "cursor", "totpSecret", "recoveryCode", "token", "userId"],
  "signInState",
];
const operations = resources.flatMap(({ versions }) => versions.flatMap(({ operations }) => operations));
const routes = [
  { method: "GET", path: "/" },
  ...operations.map(({ method, path }) => ({ method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, root) })),
];
const forPeople = sessionPaths.filter(({ needsSession }) => needsSession);

describe.each(kinds)("T4: %s", (kind) => {
  test("is the only one that it is: as a bearer token", async () => {
    const token = secrets[kind] ?? "";
    const answers = await Promise.all(routes.map(({ method, path }) => plane.ask(path, { method, token })));
    const refused = answers.filter(({ status }) => status === 401).length;
    expect([token.length > 5, refused]).toEqual([true, kind === "token" ? 0 : routes.length]);
  });

  test("is the only one that it is: as a session cookie", async () => {
    const headers = { Cookie: `${cookieName}=${secrets[kind]}` };
    const answers = await Promise.all(
      [...routes, ...forPeople.map(({ method, path }) => ({ method: method.toUpperCase(), path }))].map((route) =>
        plane.ask(route.path, { method: route.method, headers }),
      ),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect(statuses.has(401)).toBe(kind !== "session");
    expect(statuses.size === 1).toBe(kind !== "session");
  });

  test("is the only one that it is: as the secret of a link", async () => {
    const secret = secrets[kind];
    const invitation = await plane.ask("/invitation", { method: "POST", body: { secret, password: "short" } });
    const owner = { secret, email: "x", full_name: "X", password: "short" };
    const firstOwner = await plane.ask("/first-owner", { method: "POST", body: owner });
    expect([invitation.status, firstOwner.status]).toEqual([
      kind === "invitation" ? 422 : 400,
      kind === "firstOwner" ? 422 : 400,
    ]);
  });

  test("is the only one that it is: as a cursor", async () => {
    const token = secrets.token ?? "";
    const query = new URLSearchParams({ limit: "1", cursor: secrets[kind] ?? "" });
    expect((await plane.ask(`/tasks?${query}`, { token })).status).toBe(kind === "cursor" ? 200 : 400);
  });

  test("is the only one that it is: as a one-time code or as a CSRF token", async () => {
    const body = { email: "maria@example.org", password, code: secrets[kind] };
    const signedIn = await plane.ask("/session", { method: "POST", body, peer: kind });
    expect(signedIn.status).toBe(kind === "recoveryCode" ? 201 : 401);
    await plane.database.change((db) => db.deleteFrom("sign_in_failures").execute());
    const headers = { Cookie: `${cookieName}=${secrets.session}`, "X-CSRF-Token": secrets[kind] ?? "" };
    const changed = await plane.ask("/roles", { method: "POST", headers, body: {} });
    expect(changed.status).toBe(kind === "csrf" ? 422 : 403);
  });
});

test.each(forPeople)("T4: a token is of no use for $method $path", async ({ method, path }) => {
  const { status, body } = await plane.ask(path, { method: method.toUpperCase(), token: secrets.token ?? "" });
  expect([status, body.errors[0].error_code]).toEqual([401, 40111]);
});
