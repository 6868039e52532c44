import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sessionPaths } from "@holdfast/api/session/session-paths";
import { setUserEnabled } from "../../src/resources/users/store";
import { updateAccount } from "../../src/sign-in/accounts";
import { type Plane, root } from "../harness";
import {
  addPerson,
  auditEvents,
  auditTrail,
  cookieName,
  countHashes,
  openPlaneForPeople,
  otherPassword,
  password,
  sessionCookie,
  signedIn,
  signIn,
  trySignIn,
} from "./people";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlaneForPeople();
});
afterAll(() => plane.close());

const codeOf = (answered: { status: number; body: { errors: { error_code: number }[] } }) => [
  answered.status,
  answered.body.errors[0]?.error_code,
];

describe("signing in", () => {
  test("answers who it is, where, and with which CSRF token, in any letter case of the address", async () => {
    const unit = await plane.addUnit("Hamburg");
    const id = await addPerson(plane, {
      email: "Maria@Example.org",
      name: "Maria Keller",
      roles: [{ role: "operator", unitId: unit }, { role: "viewer" }],
    });
    const answered = await trySignIn(plane, { email: " mARIA@example.ORG", password });
    expect(answered.status).toBe(201);
    expect(answered.body).toEqual({
      user: {
        id,
        email: "Maria@Example.org",
        full_name: "Maria Keller",
        time_zone: "UTC",
        has_password: true,
        has_totp: false,
      },
      organizational_unit_id: root,
      organizational_units: [
        {
          organizational_unit_id: unit,
          name: "Hamburg",
          roles: [{ role_id: await plane.roleId("operator"), name: "operator" }],
        },
        {
          organizational_unit_id: root,
          name: "Root",
          roles: [{ role_id: await plane.roleId("viewer"), name: "viewer" }],
        },
      ],
      csrf_token: expect.stringMatching(/^[A-Za-z0-9_-]{43}$/),
      expires_timestamp: "2026-11-22T12:00:00.000Z",
    });
    expect(answered.headers.get("cache-control")).toBe("no-store");
    expect((await signedIn(plane, answered).ask("/session")).body).toEqual(answered.body);
  });

  test("sets a cookie that scripts and other sites cannot use, and that is kept as a hash only", async () => {
    await addPerson(plane, { email: "cookie@example.org" });
    const answered = await trySignIn(plane, { email: "cookie@example.org", password });
    const cookie = sessionCookie(answered);
    expect(cookie).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(answered.headers.getSetCookie()).toEqual([
      `holdfast_session=${cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800`,
    ]);
    const kept = await plane.database.snapshot((db) => db.selectFrom("sessions").selectAll().execute());
    expect(JSON.stringify(kept)).not.toContain(cookie);
  });

  test("sets a cookie for https and for this host alone where the base URL is https", async () => {
    const secure = await openPlaneForPeople({ base_url: "https://holdfast.test" });
    await addPerson(secure, { email: "maria@example.org" });
    const answered = await trySignIn(secure, { email: "maria@example.org", password });
    const cookie = sessionCookie(answered);
    expect(answered.headers.getSetCookie()).toEqual([
      `__Host-holdfast_session=${cookie}; Path=/; HttpOnly; SameSite=Lax; Max-Age=604800; Secure`,
    ]);
    const named = (name: string) => secure.ask("/session", { headers: { Cookie: `a=b; ${name}=${cookie}` } });
    expect((await named("__Host-holdfast_session")).status).toBe(200);
    expect(codeOf(await named("holdfast_session"))).toEqual([401, 40111]);
    await secure.close();
  });

  test("has the same answer for a wrong password and an account that is unknown, disabled or without a password", async () => {
    await addPerson(plane, { email: "known@example.org" });
    await addPerson(plane, { email: "disabled@example.org", isEnabled: false });
    await plane.addUser({ email: "invited@example.org", isConfirmed: false, roles: [{ role: "viewer" }] });
    const hashes = countHashes(plane);
    const answers = [
      await trySignIn(plane, { email: "known@example.org", password: otherPassword }),
      await trySignIn(plane, { email: "nobody@example.org", password }),
      await trySignIn(plane, { email: "not an address\u0000", password }),
      await trySignIn(plane, { email: "disabled@example.org", password }),
      await trySignIn(plane, { email: "invited@example.org", password }),
      await trySignIn(plane, { email: "known@example.org", password: "" }),
      await trySignIn(plane, { email: "known@example.org", password: password + "x".repeat(2000) }),
    ];
    expect(hashes()).toBe(answers.length);
    expect(answers.map(({ status, body, headers }) => [status, body, headers.getSetCookie()])).toEqual(
      answers.map(() => [
        401,
        {
          errors: [
            {
              error_code: 40108,
              error_message: "The address, the password or the one-time code is wrong. Try again.",
            },
          ],
        },
        [],
      ]),
    );
  });

  test("tells somebody who holds no role so, but only with the right password", async () => {
    await addPerson(plane, { email: "roleless@example.org", roles: [] });
    expect(codeOf(await trySignIn(plane, { email: "roleless@example.org", password }))).toEqual([401, 40107]);
    expect(codeOf(await trySignIn(plane, { email: "roleless@example.org", password: otherPassword }))).toEqual([
      401, 40108,
    ]);
  });

  test("takes a password in another spelling of the same characters", async () => {
    const id = await addPerson(plane, { email: "accents@example.org" });
    const password_hash = await plane.service.passwords.hash("cafe\u0301 au lait, s'il");
    await plane.database.change((db) => updateAccount(db, id, { password_hash }));
    const answered = await trySignIn(plane, { email: "accents@example.org", password: "caf\u00e9 au lait, s'il" });
    expect(answered.status).toBe(201);
  });

  test("ends the session that the browser had before", async () => {
    await addPerson(plane, { email: "again@example.org" });
    const first = await signIn(plane, "again@example.org");
    await signIn(plane, "again@example.org", { headers: { Cookie: `${cookieName}=${first.cookie}` } });
    expect(codeOf(await first.ask("/session"))).toEqual([401, 40110]);
  });

  test.each([
    ["an array", []],
    ["no password", { email: "a@example.org" }],
    ["a number", { email: 7, password }],
    ["something unknown", { email: "a@example.org", password, remember: true }],
  ])("is refused with %s", async (_, body) => {
    const { status } = await trySignIn(plane, body);
    expect(status).toBe(Array.isArray(body) ? 400 : 422);
  });

  test("is refused with a query", async () => {
    const answered = await plane.ask("/session?email=a", {
      method: "POST",
      body: { email: "a@example.org", password },
    });
    expect(codeOf(answered)).toEqual([400, 40001]);
  });

  test("is in the audit trail, and refusals are counted together", async () => {
    const own = await openPlaneForPeople();
    const id = await addPerson(own, { email: "maria@example.org" });
    await signIn(own, "maria@example.org", { peer: "203.0.113.7" });
    for (const _ of [1, 2, 3]) {
      await trySignIn(own, { email: "maria@example.org", password: otherPassword }, { peer: "203.0.113.8" });
    }
    await trySignIn(own, { email: "nobody@example.org", password }, { peer: "203.0.113.8" });
    const nobody = { kind: "nobody", user_id: null, token_id: null, address: "203.0.113.8" };
    expect(await auditTrail(own)).toEqual([
      {
        actor: { kind: "user", user_id: id, token_id: null, address: "203.0.113.7" },
        operation: "sign-in",
        object: { type: "user", id },
        result: "done",
        reason: null,
        count: 1,
        after: null,
      },
      {
        actor: nobody,
        operation: "sign-in",
        object: { type: "user", id },
        result: "refused",
        reason: "signInFailed",
        count: 3,
        after: null,
      },
      {
        actor: nobody,
        operation: "sign-in",
        object: { type: "user", id: null },
        result: "refused",
        reason: "signInFailed",
        count: 1,
        after: null,
      },
    ]);
    await own.close();
  });

  test("is told where the person holds a role, also when it is refused, so that their administrators see it", async () => {
    const own = await openPlaneForPeople();
    const unit = await own.addUnit("Hamburg");
    await addPerson(own, { email: "vic@example.org", roles: [{ role: "viewer", unitId: unit }] });
    await signIn(own, "vic@example.org");
    await trySignIn(own, { email: "vic@example.org", password: otherPassword });
    await trySignIn(own, { email: "nobody@example.org", password });
    const places = (await auditEvents(own)).map((event) => [event.result, event.organizational_unit_id]);
    expect(places).toEqual([
      ["done", unit],
      ["refused", unit],
      ["refused", root],
    ]);
    await own.close();
  });

  test("leaves neither the password nor the cookie in the log or the database", async () => {
    await addPerson(plane, { email: "quiet@example.org" });
    const { cookie, csrf, ask } = await signIn(plane, "quiet@example.org");
    await ask("/session");
    plane.service.log.flush();
    const logged = plane.logged.join("");
    expect([password, cookie, csrf].filter((secret) => logged.includes(secret))).toEqual([]);
    expect(logged).toContain('"operation":"sign-in","status":201');
  });
});

describe("a session", () => {
  test("has exactly the rights of its user's personal token", async () => {
    const unit = await plane.addUnit("Rights");
    const id = await addPerson(plane, { email: "rights@example.org", roles: [{ role: "admin", unitId: unit }] });
    await plane.addTasks([{ organizational_unit_id: unit }, { organizational_unit_id: root }]);
    const { token } = await plane.personalToken(id, unit);
    const { ask } = await signIn(plane, "rights@example.org");
    for (const path of ["/", "/tasks", "/users", "/roles", "/organizational-units"]) {
      for (const where of [{}, { unit }, { unit: root }]) {
        const [bySession, byToken] = [await ask(path, where), await plane.ask(path, { token, ...where })];
        expect([path, bySession.status, bySession.body]).toEqual([path, byToken.status, byToken.body]);
      }
    }
  });

  test("acts in the topmost unit in which its user holds a role, of equally high ones in the first by id", async () => {
    const high = await Promise.all(["High A", "High B"].map((name) => plane.addUnit(name)));
    const low = await plane.addUnit("Low", high[0]);
    const where = async (email: string, units: string[]) => {
      await addPerson(plane, { email, roles: units.map((unitId) => ({ role: "viewer" as const, unitId })) });
      return (await (await signIn(plane, email)).ask("/session")).body.organizational_unit_id;
    };
    expect(await where("low@example.org", [low])).toBe(low);
    expect(await where("both@example.org", [low, ...high])).toBe([...high].sort()[0]);
    expect(await where("top@example.org", [low, root])).toBe(root);
  });

  test("changes what its user may change, with the CSRF token", async () => {
    await addPerson(plane, { email: "owner@example.org", roles: [{ role: "owner" }] });
    const { ask } = await signIn(plane, "owner@example.org");
    const created = await ask("/roles", {
      method: "POST",
      body: { name: "Auditor", description: "Reads.", permissions: ["tasks:read"] },
    });
    expect(created.status).toBe(201);
    expect((await ask(created.headers.get("location") ?? "", { method: "DELETE" })).status).toBe(204);
  });

  test("answers vary by the cookie", async () => {
    await addPerson(plane, { email: "vary@example.org" });
    const { ask } = await signIn(plane, "vary@example.org");
    expect((await ask("/tasks")).headers.get("vary")).toMatch(/, Cookie$/);
  });

  test("does not count where there is an Authorization header, not even an empty one", async () => {
    await addPerson(plane, { email: "both-ways@example.org" });
    const { ask } = await signIn(plane, "both-ways@example.org");
    const { token } = await plane.serviceToken("viewer");
    expect((await ask("/tasks", { token })).status).toBe(200);
    expect(codeOf(await ask("/tasks", { token: "broken" }))).toEqual([401, 40102]);
    expect(codeOf(await ask("/tasks", { headers: { Authorization: "" } }))).toEqual([401, 40101]);
    expect(codeOf(await ask("/session", { token }))).toEqual([401, 40111]);
  });

  test("is refused when the cookie is sent twice, cut short or made up", async () => {
    await addPerson(plane, { email: "odd-cookies@example.org" });
    const { cookie } = await signIn(plane, "odd-cookies@example.org");
    const send = (header: string) => plane.ask("/tasks", { headers: { Cookie: header } });
    expect(codeOf(await send(`${cookieName}=${cookie}; ${cookieName}=${cookie}`))).toEqual([400, 40010]);
    for (const wrong of ["", cookie.slice(1), `${cookie}A`, "A".repeat(43), "%00", `"${cookie}"`]) {
      expect(codeOf(await send(`${cookieName}=${wrong}`))).toEqual([401, 40110]);
    }
    expect(codeOf(await send(`x${cookieName}=${cookie}`))).toEqual([401, 40101]);
  });

  test("ends when it is signed out, and others go on", async () => {
    await addPerson(plane, { email: "out@example.org" });
    const [one, other] = [await signIn(plane, "out@example.org"), await signIn(plane, "out@example.org")];
    const out = await one.ask("/session", { method: "DELETE" });
    expect([out.status, out.headers.getSetCookie()]).toEqual([
      204,
      ["holdfast_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"],
    ]);
    expect(codeOf(await one.ask("/session"))).toEqual([401, 40110]);
    expect((await other.ask("/session")).status).toBe(200);
  });

  test("ends with all others when its user signs out everywhere, and nobody else's does", async () => {
    const id = await addPerson(plane, { email: "everywhere@example.org" });
    await addPerson(plane, { email: "bystander@example.org" });
    const [one, other] = [await signIn(plane, "everywhere@example.org"), await signIn(plane, "everywhere@example.org")];
    const bystander = await signIn(plane, "bystander@example.org");
    expect((await one.ask("/sessions", { method: "DELETE" })).status).toBe(204);
    expect(codeOf(await one.ask("/tasks"))).toEqual([401, 40110]);
    expect(codeOf(await other.ask("/tasks"))).toEqual([401, 40110]);
    expect((await bystander.ask("/tasks")).status).toBe(200);
    expect(await auditTrail(plane)).toContainEqual({
      actor: { kind: "user", user_id: id, token_id: null, address: "" },
      operation: "sign-out-everywhere",
      object: { type: "user", id },
      result: "done",
      reason: null,
      count: 1,
      after: null,
    });
  });

  test("ends when its user is disabled or loses the last role", async () => {
    const disabled = await addPerson(plane, { email: "to-disable@example.org" });
    const demoted = await addPerson(plane, { email: "to-demote@example.org" });
    const [one, other] = [await signIn(plane, "to-disable@example.org"), await signIn(plane, "to-demote@example.org")];
    await plane.database.change((db) => setUserEnabled(db, disabled, false));
    await plane.database.change((db) => db.deleteFrom("role_grants").where("user_id", "=", demoted).execute());
    expect(codeOf(await one.ask("/tasks"))).toEqual([401, 40110]);
    expect(codeOf(await other.ask("/tasks"))).toEqual([401, 40110]);
  });

  test("is refused inside a change, too, when it has just ended", async () => {
    await addPerson(plane, { email: "race@example.org", roles: [{ role: "owner" }] });
    const { ask } = await signIn(plane, "race@example.org");
    const { check } = plane.service.sessions;
    plane.service.sessions.check = async (cookie, dataVersions) => {
      const session = await check(cookie, dataVersions);
      await plane.database.change((db) => plane.service.sessions.endAll(db, session.caller.userId));
      return session;
    };
    const body = { name: "Too late", description: "", permissions: ["tasks:read"] };
    const answered = await ask("/roles", { method: "POST", body });
    plane.service.sessions.check = check;
    expect(codeOf(answered)).toEqual([401, 40110]);
  });
});

describe("what people need", () => {
  test.each([...sessionPaths])("is at $method $path, and described", async ({ id, method, path }) => {
    const options = await plane.ask(path, { method: "OPTIONS" });
    expect(options.headers.get("allow")?.split(", ")).toContain(method.toUpperCase());
    const { body } = await plane.ask("/openapi.json");
    expect(body.paths[path][method].operationId).toBe(id);
  });

  test.each(sessionPaths.filter(({ needsSession }) => needsSession))(
    "is refused at $method $path without a session",
    async ({ method, path }) => {
      const answered = await plane.ask(path, { method: method.toUpperCase() });
      expect([...codeOf(answered), answered.headers.get("www-authenticate")]).toEqual([
        401,
        40111,
        'Bearer realm="holdfast"',
      ]);
    },
  );
});

describe("time", () => {
  test("ends a session that nobody used for as long as is set, and not one that is used", async () => {
    const own = await openPlaneForPeople({ session_idle_minutes: "30", session_hours: "10" });
    await addPerson(own, { email: "maria@example.org" });
    const [used, idle] = [await signIn(own, "maria@example.org"), await signIn(own, "maria@example.org")];
    for (const _ of Array(5).keys()) {
      own.clock.now += 20 * 60_000;
      expect((await used.ask("/tasks")).status).toBe(200);
      await own.service.tokenUse.flush();
    }
    expect(codeOf(await idle.ask("/tasks"))).toEqual([401, 40110]);
    own.clock.now += 31 * 60_000;
    expect(codeOf(await used.ask("/tasks"))).toEqual([401, 40110]);
    await own.close();
  });

  test("ends a session that is used all the time as well", async () => {
    const own = await openPlaneForPeople({ session_idle_minutes: "50", session_hours: "2" });
    await addPerson(own, { email: "maria@example.org" });
    const { ask } = await signIn(own, "maria@example.org");
    const seen: number[] = [];
    for (const _ of Array(4).keys()) {
      own.clock.now += 40 * 60_000;
      seen.push((await ask("/tasks")).status);
      await own.service.tokenUse.flush();
    }
    expect(seen).toEqual([200, 200, 401, 401]);
    await own.close();
  });

  test("of the last use is written down once a minute at most", async () => {
    await addPerson(plane, { email: "often@example.org" });
    const { ask } = await signIn(plane, "often@example.org");
    const usedAt = async () => {
      await plane.service.tokenUse.flush();
      const rows = plane.database.snapshot((db) =>
        db
          .selectFrom("sessions")
          .innerJoin("users", "users.id", "user_id")
          .select("used_at")
          .where("email", "=", "often@example.org")
          .execute(),
      );
      return (await rows).map(({ used_at }) => used_at);
    };
    const startedAt = plane.clock.now;
    await ask("/tasks");
    plane.clock.now += 59_000;
    await ask("/tasks");
    expect(await usedAt()).toEqual([startedAt]);
    plane.clock.now += 1_000;
    await ask("/tasks");
    expect(await usedAt()).toEqual([startedAt + 60_000]);
  });

  test("clears sessions away that have ended, when somebody signs in", async () => {
    const own = await openPlaneForPeople();
    await addPerson(own, { email: "maria@example.org" });
    await signIn(own, "maria@example.org");
    own.clock.now += 13 * 3_600_000;
    await signIn(own, "maria@example.org");
    expect(await own.database.snapshot((db) => db.selectFrom("sessions").select("created_at").execute())).toEqual([
      { created_at: own.clock.now },
    ]);
    await own.close();
  });
});
