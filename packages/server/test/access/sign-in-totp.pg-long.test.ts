import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { totpCode, totpStep } from "../../src/sign-in/totp";
import type { Answered, Plane } from "../harness";
import {
  addPerson,
  auditTrail,
  openPlaneForPeople,
  otherPassword,
  password,
  type SignedIn,
  signIn,
  trySignIn,
} from "./people";

let plane: Plane;
beforeAll(async () => {
  plane = await openPlaneForPeople();
});
// All come from one address: what one test fails at must not slow another down.
beforeEach(() => plane.database.change((db) => db.deleteFrom("sign_in_failures").execute()));
afterAll(() => plane.close());

const told = ({ status, body }: Answered) => [status, body?.errors?.[0]?.error_code];
const codeNow = (secret: string, away = 0) => totpCode(secret, totpStep(plane.clock.now) + away);
const post = (person: SignedIn, path: string, body?: unknown) => person.ask(path, { method: "POST", body });

/** Somebody with one-time codes turned on, one step ago. */
async function protect(email: string) {
  const id = await addPerson(plane, { email });
  const person = await signIn(plane, email);
  const { secret } = (await post(person, "/session/totp", { password })).body;
  const { recovery_codes } = (await post(person, "/session/totp/confirm", { code: codeNow(secret) })).body;
  plane.clock.now += 30_000;
  return { id, person, secret: String(secret), recovery: recovery_codes.map(String) };
}

describe("one-time codes", () => {
  test("are asked for only once the first one was right", async () => {
    const id = await addPerson(plane, { email: "begin@example.org" });
    const person = await signIn(plane, "begin@example.org");
    expect(told(await post(person, "/session/totp/confirm", { code: "123456" }))).toEqual([409, 40906]);
    const enrolled = await post(person, "/session/totp", { password });
    expect([enrolled.status, enrolled.body]).toEqual([
      201,
      {
        secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
        otpauth_uri: expect.stringContaining(`secret=${enrolled.body.secret}&issuer=Holdfast`),
      },
    ]);
    expect(told(await post(person, "/session/totp/confirm", { code: "abcdef" }))).toEqual([422, 42201]);
    expect((await trySignIn(plane, { email: "begin@example.org", password })).status).toBe(201);
    const confirmed = await post(person, "/session/totp/confirm", { code: codeNow(enrolled.body.secret) });
    expect([confirmed.status, confirmed.body.recovery_codes.length]).toEqual([201, 10]);
    expect(told(await trySignIn(plane, { email: "begin@example.org", password }))).toEqual([401, 40109]);
    expect(told(await post(person, "/session/totp", { password }))).toEqual([409, 40906]);
    expect((await person.ask("/session")).body.user.has_totp).toBe(true);
    const trail = await auditTrail(plane);
    for (const operation of ["enrol-totp", "confirm-totp"]) {
      expect(trail).toContainEqual({
        actor: { kind: "user", user_id: id, token_id: null, address: "" },
        operation,
        object: { type: "user", id },
        result: "done",
        reason: null,
        count: 1,
        after: null,
      });
    }
  });

  test("are begun with the password only: an open session is not enough to lock its owner out", async () => {
    const id = await addPerson(plane, { email: "open@example.org" });
    const person = await signIn(plane, "open@example.org");
    expect(told(await post(person, "/session/totp"))).toEqual([415, 41501]);
    expect(told(await post(person, "/session/totp", {}))).toEqual([422, 42201]);
    expect(told(await post(person, "/session/totp", { password: otherPassword }))).toEqual([422, 42201]);
    expect(told(await post(person, "/session/totp/confirm", { code: "123456" }))).toEqual([409, 40906]);
    const trail = (await auditTrail(plane)).filter(({ object }) => object.id === id);
    expect(trail.map(({ operation, result, reason }) => [operation, result, reason])).toEqual([
      ["sign-in", "done", null],
      ["enrol-totp", "refused", "signInFailed"],
    ]);
  });

  test("that are missing beside the right password are told of: the password may be stolen", async () => {
    const { id } = await protect("thief@example.org");
    const attempt = () => trySignIn(plane, { email: "thief@example.org", password }, { peer: "198.51.100.7" });
    expect([told(await attempt()), told(await attempt())]).toEqual([
      [401, 40109],
      [401, 40109],
    ]);
    expect((await auditTrail(plane)).at(-1)).toEqual({
      actor: { kind: "nobody", user_id: null, token_id: null, address: "198.51.100.7" },
      operation: "sign-in",
      object: { type: "user", id },
      result: "refused",
      reason: "codeMissing",
      count: 2,
      after: null,
    });
  });

  test("are needed beside the right password, and never told of beside a wrong one", async () => {
    const { secret } = await protect("beside@example.org");
    const attempt = (more: object) => trySignIn(plane, { email: "beside@example.org", password, ...more });
    expect(told(await attempt({}))).toEqual([401, 40109]);
    expect(told(await attempt({ code: " " }))).toEqual([401, 40109]);
    expect(told(await attempt({ password: otherPassword }))).toEqual([401, 40108]);
    expect(told(await attempt({ password: otherPassword, code: codeNow(secret) }))).toEqual([401, 40108]);
    expect(told(await attempt({ code: "000000" }))).toEqual([401, 40108]);
    expect((await attempt({ code: codeNow(secret) })).status).toBe(201);
  });

  test("are good for a step before and after, and each once, even at the same time", async () => {
    const { secret } = await protect("once@example.org");
    plane.clock.now += 60_000;
    const attempt = (code: string) => trySignIn(plane, { email: "once@example.org", password, code });
    expect((await attempt(codeNow(secret, -2))).status).toBe(401);
    expect((await attempt(codeNow(secret, 2))).status).toBe(401);
    expect((await attempt(codeNow(secret, -1))).status).toBe(201);
    expect((await attempt(codeNow(secret, -1))).status).toBe(401);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await attempt(codeNow(secret, 1))).status));
    expect(statuses.sort()).toEqual([201, 401, 401]);
    expect((await attempt(codeNow(secret))).status).toBe(401);
  });

  test("cannot be guessed: wrong ones count as failures to sign in", async () => {
    await protect("guess@example.org");
    const attempt = (code?: string) => trySignIn(plane, { email: "guess@example.org", password, code });
    for (const _ of Array(10).keys()) expect((await attempt()).status).toBe(401);
    for (const _ of Array(5).keys()) expect((await attempt("999999")).status).toBe(401);
    expect((await attempt("999999")).status).toBe(429);
  });

  test("are kept sealed, and the recovery codes hashed", async () => {
    const { id, secret, recovery } = await protect("sealed@example.org");
    const stored = await plane.database.snapshot((db) =>
      db.selectFrom("users").selectAll().where("id", "=", id).execute(),
    );
    const text = JSON.stringify(stored) + plane.logged.join("");
    expect([secret, ...recovery].filter((one) => text.includes(one))).toEqual([]);
  });

  test("can be replaced by recovery codes, each once", async () => {
    const { recovery } = await protect("recover@example.org");
    const attempt = (code: string) => trySignIn(plane, { email: "recover@example.org", password, code });
    const used: number[] = [];
    for (const code of recovery) used.push((await attempt(code)).status);
    expect(used).toEqual(Array(10).fill(201));
    for (const code of recovery.slice(0, 5)) expect((await attempt(code)).status).toBe(401);
  });

  test("are turned off with the password only", async () => {
    const { id, person } = await protect("off@example.org");
    const remove = (given: string) => person.ask("/session/totp", { method: "DELETE", body: { password: given } });
    expect(told(await remove(otherPassword))).toEqual([422, 42201]);
    expect((await remove(password)).status).toBe(204);
    expect((await trySignIn(plane, { email: "off@example.org", password })).status).toBe(201);
    expect((await auditTrail(plane)).map(({ operation, object, result }) => [operation, object.id, result])).toEqual(
      expect.arrayContaining([
        ["remove-totp", id, "refused"],
        ["remove-totp", id, "done"],
      ]),
    );
  });
});

describe("a password", () => {
  const change = (person: SignedIn, current_password: string, wanted: string) =>
    post(person, "/session/password", { current_password, password: wanted });

  test("is changed with the current one, and all other sessions end", async () => {
    const id = await addPerson(plane, { email: "change@example.org" });
    const [person, elsewhere] = [await signIn(plane, "change@example.org"), await signIn(plane, "change@example.org")];
    expect((await change(person, password, otherPassword)).status).toBe(204);
    expect((await person.ask("/session")).status).toBe(200);
    expect(told(await elsewhere.ask("/session"))).toEqual([401, 40110]);
    expect((await trySignIn(plane, { email: "change@example.org", password })).status).toBe(401);
    expect((await trySignIn(plane, { email: "change@example.org", password: otherPassword })).status).toBe(201);
    expect((await auditTrail(plane)).filter(({ operation }) => operation === "change-password")).toEqual([
      {
        actor: { kind: "user", user_id: id, token_id: null, address: "" },
        operation: "change-password",
        object: { type: "user", id },
        result: "done",
        reason: null,
        count: 1,
        after: null,
      },
    ]);
  });

  test("is not changed without it, and trying is limited", async () => {
    await addPerson(plane, { email: "stolen@example.org" });
    const person = await signIn(plane, "stolen@example.org");
    for (const _ of Array(5).keys()) {
      expect(told(await change(person, otherPassword, otherPassword))).toEqual([422, 42201]);
    }
    expect(told(await change(person, password, otherPassword))).toEqual([429, 42902]);
  });

  test.each([
    ["short", "12 characters or more"],
    ["Password2026!", "harder to guess: not a common password, and not your name or address"],
    ["Weak-19@example.org", "harder to guess: not a common password, and not your name or address"],
    [password, "another one than before"],
  ])("is not changed to %p", async (wanted, expectation) => {
    const email = `weak-${wanted.length}@example.org`;
    await addPerson(plane, { email, name: "Weak Example" });
    const person = await signIn(plane, email);
    const answered = await change(person, password, wanted);
    expect([answered.status, answered.body.errors]).toEqual([
      422,
      [{ error_code: 42201, error_message: `The field "password" has to be ${expectation}.`, field: "/password" }],
    ]);
  });

  test("and one-time codes are none of the service's business for who signs in elsewhere", async () => {
    const id = await addPerson(plane, { email: "elsewhere@example.org" });
    const person = await signIn(plane, "elsewhere@example.org");
    await plane.database.change((db) =>
      db.updateTable("users").set({ password_hash: null }).where("id", "=", id).execute(),
    );
    expect(told(await change(person, password, otherPassword))).toEqual([409, 40906]);
    expect(told(await post(person, "/session/totp", { password }))).toEqual([409, 40906]);
  });
});
