import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { CompactSign, decodeJwt, decodeProtectedHeader, generateKeyPair, SignJWT } from "jose";
import { openCurrentKey, rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { tokenHeader } from "../../src/access/tokens/token-format";
import { maxTokenLifeMs } from "../../src/access/tokens/token-life";
import { listTokens, revokeToken } from "../../src/resources/api-tokens/store";
import { revokeRole, setUserEnabled } from "../../src/resources/users/store";
import { readWhole } from "../folder-database";
import { openPlane, type Plane, root } from "../harness";
import { tokenPattern } from "../token-pattern";
import { apiPaths } from "./declared";

let plane: Plane;
let valid: { id: string; token: string };
beforeAll(async () => {
  plane = await openPlane({ sibling_regions: "https://eu.example.org, https://us.example.org/" });
  valid = await plane.serviceToken("owner");
});
afterAll(() => plane.close());

const now = Date.parse("2026-11-15T12:00:00Z") / 1000;
const year = 365 * 86_400;

/** The code that a token is refused with, or 200. */
async function answered(token: string, path = "/tasks"): Promise<number> {
  const { status, body, headers } = await plane.ask(path, { token });
  const code = body.errors?.[0].error_code;
  expect([200, 401]).toContain(status);
  expect(/^Bearer .*error="invalid_token"/.test(headers.get("www-authenticate") ?? "")).toBe(status === 401);
  return code ?? status;
}

/** A token of ours with some of its claims or its header changed, signed with our own key. */
async function forge(claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> {
  const { kid, privateKey } = await plane.database.snapshot((db) => openCurrentKey(db, plane.controlPlane.sealer));
  const payload = { ...decodeJwt(valid.token), ...claims };
  return new SignJWT(payload).setProtectedHeader({ ...tokenHeader(kid), ...header }).sign(privateKey);
}

describe("a token", () => {
  test("is a JWT signed with Ed25519 whose header and claims stand in one order", () => {
    expect(Object.entries(decodeProtectedHeader(valid.token))).toEqual([
      ["alg", "EdDSA"],
      ["typ", "at+jwt"],
      ["kid", expect.stringMatching(/^hf-[A-Za-z0-9_-]+$/)],
    ]);
    expect(Object.entries(decodeJwt(valid.token))).toEqual([
      ["iss", "http://holdfast.test"],
      ["aud", "http://holdfast.test"],
      ["sub", valid.id],
      ["jti", valid.id],
      ["iat", now],
      ["nbf", now],
      ["exp", now + 86_400],
      ["kind", "service"],
      ["ou", root],
    ]);
  });

  test("has a pattern by which it can be found", async () => {
    expect(valid.token).toMatch(new RegExp(`^${tokenPattern}$`));
    const prefix = valid.token.slice(0, 54);
    expect((await plane.serviceToken("viewer")).token).toStartWith(prefix);
    expect(tokenPattern).toStartWith("eyJ");
  });

  test.each(apiPaths)("that is ours is let in at %s", async (path) => {
    const { status } = await plane.ask(path, { token: valid.token });
    expect([200, 404]).toContain(status);
  });

  test.each([
    ["no token at all", "x"],
    ["three empty parts", ".."],
    ["two parts", "eyJhbGciOiJFZERTQSJ9.e30"],
    ["no algorithm", `${Buffer.from('{"alg":"none"}').toString("base64url")}.e30.`],
    ["4 KiB of nothing", "a".repeat(4096)],
    ["more than 4 KiB", `${"a".repeat(2000)}.${"a".repeat(2500)}.a`],
  ])("that is %s is refused", async (_, token) => {
    expect(await answered(token)).toBe(40102);
  });

  test("is refused with any character of it altered", async () => {
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    const codes = new Set<number>();
    for (let index = 0; index < valid.token.length; index += 3) {
      const other = alphabet[(alphabet.indexOf(valid.token.charAt(index)) + 1) % 64];
      codes.add(await answered(`${valid.token.slice(0, index)}${other}${valid.token.slice(index + 1)}`));
    }
    expect([...codes].filter((code) => code !== 40102 && code !== 40106)).toEqual([]);
  });

  test("is refused in every other spelling of the same bytes (T5)", async () => {
    const last = valid.token.slice(-1);
    const others = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"].filter(
      (one) => one !== last,
    );
    const spellings = [...others.map((one) => valid.token.slice(0, -1) + one), `${valid.token}=`, `${valid.token}==`];
    for (const spelling of spellings) expect(await answered(spelling)).toBe(40102);
  });

  test.each<[string, number, Record<string, unknown>]>([
    ["as it is", 200, {}],
    ["without sub", 40102, { sub: undefined }],
    ["without jti", 40102, { jti: undefined }],
    ["without iat", 40102, { iat: undefined }],
    ["without nbf", 40102, { nbf: undefined }],
    ["without exp", 40102, { exp: undefined }],
    ["without kind", 40102, { kind: undefined }],
    ["without ou", 40102, { ou: undefined }],
    ["without iss", 40102, { iss: undefined }],
    ["without aud", 40102, { aud: undefined }],
    ["with a claim too many", 40102, { role: "owner" }],
    ["with a list as aud", 40102, { aud: ["http://holdfast.test"] }],
    ["with another kind", 40102, { kind: "session" }],
    ["with a unit that is no UUID", 40102, { ou: "root" }],
    ["with part of a second", 40102, { iat: now + 0.5 }],
    ["with a time as text", 40102, { exp: String(now + 60) }],
    ["with a huge time", 40102, { exp: 1e300 }],
    ["with a negative time", 40102, { iat: -1 }],
    ["past its end", 40103, { iat: now - 100, nbf: now - 100, exp: now - 1 }],
    ["at its end", 40103, { exp: now }],
    ["a second before its end", 200, { exp: now + 1 }],
    ["issued 60 seconds ahead", 200, { iat: now + 60 }],
    ["issued 61 seconds ahead", 40104, { iat: now + 61 }],
    ["valid from 60 seconds ahead", 200, { nbf: now + 60 }],
    ["valid from 61 seconds ahead", 40104, { nbf: now + 61 }],
    ["for two years", 200, { exp: now + 2 * year }],
    ["for longer than two years", 40102, { exp: now + 2 * year + 1 }],
    ["with a jti that nobody has", 40105, { jti: "0198c3a1-5d2e-7abc-8def-0123456789ab" }],
    ["of another issuer", 40106, { iss: "http://other.test", aud: "http://other.test" }],
    ["of another issuer, but for us", 40106, { iss: "http://other.test" }],
    ["for another audience", 40102, { aud: "http://other.test" }],
  ])("%s, rightly signed, gives %d", async (_, code, claims) => {
    expect(await answered(await forge(claims))).toBe(code);
  });

  test.each<[string, Record<string, unknown>]>([
    ["another type", { typ: "JWT" }],
    ["a key of its own", { jwk: { kty: "OKP" } }],
    ["an address for its key", { jku: "http://evil.test" }],
    ["a kid that does not exist", { kid: "hf-nothing" }],
    ["a kid of another shape", { kid: "../../etc/passwd" }],
  ])("with %s in its header is refused", async (_, header) => {
    expect(await answered(await forge({}, header))).toBe(40102);
  });

  test.each<[string, (payload: string) => string]>([
    [
      "in another order",
      (payload) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(payload)).reverse())),
    ],
    ["with space between them", (payload) => payload.replaceAll(",", ", ")],
    ["of which one stands twice", (payload) => payload.replace('"kind"', '"kind":"service","kind"')],
    ["of which one is written with an escape", (payload) => payload.replace('"kind"', '"\\u006bind"')],
    ["with a number in another notation", (payload) => payload.replace(`"nbf":${now}`, `"nbf":${now}.0`)],
  ])("with its claims %s is refused, rightly signed as it is (T2)", async (_, rewrite) => {
    const { kid, privateKey } = await plane.database.snapshot((db) => openCurrentKey(db, plane.controlPlane.sealer));
    const payload = Buffer.from(valid.token.split(".")[1] ?? "", "base64url").toString();
    const sign = (text: string) =>
      new CompactSign(new TextEncoder().encode(text)).setProtectedHeader(tokenHeader(kid)).sign(privateKey);
    expect(rewrite(payload)).not.toBe(payload);
    expect(await answered(await sign(payload))).toBe(200);
    expect(await answered(await sign(rewrite(payload)))).toBe(40102);
  });

  test("with its header in another order is refused", async () => {
    const { kid, privateKey } = await plane.database.snapshot((db) => openCurrentKey(db, plane.controlPlane.sealer));
    const token = await new SignJWT(decodeJwt(valid.token))
      .setProtectedHeader({ typ: "at+jwt", alg: "EdDSA", kid })
      .sign(privateKey);
    expect(await answered(token)).toBe(40102);
  });

  test("signed by anybody else is refused", async () => {
    const { privateKey } = await generateKeyPair("EdDSA", { crv: "Ed25519" });
    const kid = String(decodeProtectedHeader(valid.token).kid);
    const token = await new SignJWT(decodeJwt(valid.token)).setProtectedHeader(tokenHeader(kid)).sign(privateKey);
    expect(await answered(token)).toBe(40102);
  });

  test("of another algorithm is refused, even signed with the public key", async () => {
    const { publicKey } = await plane.database.snapshot((db) =>
      db.selectFrom("signing_keys").select("public_key as publicKey").executeTakeFirstOrThrow(),
    );
    const token = await new SignJWT(decodeJwt(valid.token))
      .setProtectedHeader({ alg: "HS256", typ: "at+jwt", kid: String(decodeProtectedHeader(valid.token).kid) })
      .sign(new TextEncoder().encode(publicKey));
    expect(await answered(token)).toBe(40102);
  });

  test("carries no rights: what its claims say of kind and unit changes nothing", async () => {
    const unit = await plane.addUnit("Claimed");
    const narrow = await plane.serviceToken("reporter", unit);
    const token = await forge({ jti: narrow.id, sub: "owner", kind: "personal", ou: root });
    expect((await plane.ask("/tasks", { token })).status).toBe(403);
    expect((await plane.ask("/tasks", { token, unit: root })).body.errors[0].error_code).toBe(40301);
  });
});

describe("a token of another control plane", () => {
  const message = async (iss: string) => {
    const { status, body } = await plane.ask("/tasks", { token: await forge({ iss, aud: iss }) });
    return [status, body.errors];
  };

  test("is sent to the region that issued it, where that is a sibling", async () => {
    for (const region of ["https://eu.example.org", "https://us.example.org"]) {
      expect(await message(region)).toEqual([
        401,
        [{ error_code: 40106, error_message: `This token was issued by another control plane. Use it at ${region}.` }],
      ]);
    }
  });

  test("is refused without a name where the issuer is none of ours", async () => {
    expect(await message('https://evil.test/"x')).toEqual([
      401,
      [
        {
          error_code: 40106,
          error_message:
            "This token was issued by another control plane. Use it at the address of the control plane that issued it.",
        },
      ],
    ]);
  });

  test("is every older token after the base URL has changed (T3)", async () => {
    const moved = await openPlane({ base_url: "http://moved.test" }, plane.folder);
    const there = await moved.serviceToken("viewer");
    const foreign = await moved.ask("/tasks", { token: valid.token });
    expect([foreign.status, foreign.body.errors[0].error_code]).toEqual([401, 40106]);
    expect((await moved.ask("/tasks", { token: there.token })).status).toBe(200);
    expect(await answered(there.token)).toBe(40106);
    expect(await answered(valid.token)).toBe(200);
    await moved.database.close();
  });
});

describe("the life of a token", () => {
  test.each([0, 999, maxTokenLifeMs + 1, -1])("cannot be %d milliseconds", async (life) => {
    const expires_timestamp = new Date(plane.clock.now + life).toISOString();
    const body = { name: "n", kind: "service", role_id: await plane.roleId("viewer"), expires_timestamp };
    const refused = await plane.ask("/api-tokens", { method: "POST", token: valid.token, body });
    expect([refused.status, refused.body]).toEqual([
      422,
      {
        errors: [
          {
            error_code: 42201,
            error_message:
              'The field "expires_timestamp" has to be an RFC 3339 timestamp from the next second on, at most two years away.',
            field: "/expires_timestamp",
          },
        ],
      },
    ]);
  });

  test("is two years at most, and ends on the second", async () => {
    const { token } = await plane.serviceToken("viewer", root, maxTokenLifeMs);
    const short = await plane.serviceToken("viewer", root, 5_000);
    expect(decodeJwt(token).exp).toBe(now + 2 * year);
    const before = plane.clock.now;
    plane.clock.now = before + 4_999;
    expect(await answered(short.token)).toBe(200);
    plane.clock.now = before + 5_000;
    expect(await answered(short.token)).toBe(40103);
    plane.clock.now = before;
  });

  test("ends with its revocation, in every process, at the next request (T6)", async () => {
    const other = await openPlane({}, plane.folder);
    const { id, token } = await plane.serviceToken("viewer");
    expect(await answered(token)).toBe(200);
    expect((await other.ask("/tasks", { token })).status).toBe(200);
    await plane.database.change((db) => revokeToken(db, id, plane.clock.now));
    expect(await answered(token)).toBe(40105);
    expect((await other.ask("/tasks", { token })).body.errors[0].error_code).toBe(40105);
    await other.database.close();
  });
});

describe("a personal token", () => {
  test("acts as its user, in every unit that the user covers", async () => {
    const [north, south] = [await plane.addUnit("North"), await plane.addUnit("South")];
    const user = await plane.addUser({
      roles: [
        { role: "viewer", unitId: north },
        { role: "viewer", unitId: south },
      ],
    });
    const { token } = await plane.personalToken(user, north);
    expect(decodeJwt(token)).toMatchObject({ sub: user, kind: "personal", ou: north });
    const statuses = [];
    for (const unit of ["", north, south, root]) statuses.push((await plane.ask("/tasks", { token, unit })).status);
    expect(statuses).toEqual([200, 200, 200, 403]);
  });

  test("cannot be made for a unit that its user does not cover", async () => {
    const north = await plane.addUnit("Covered");
    const below = await plane.addUnit("Below", north);
    const user = await plane.addUser({ roles: [{ role: "viewer", unitId: north }] });
    const { token } = await plane.personalToken(user, below);
    const make = (unitId: string) =>
      plane.ask("/api-tokens", {
        method: "POST",
        token,
        body: { name: "mine", kind: "personal", organizational_unit_id: unitId },
      });
    const made = await make(below);
    expect([made.status, made.body.token.slice(0, 3)]).toEqual([201, "eyJ"]);
    const refused = await make(root);
    expect([refused.status, refused.body.errors[0].error_code]).toEqual([403, 40301]);
  });

  test("is refused from the moment that its user is disabled, and works again when enabled", async () => {
    const user = await plane.addUser({ roles: [{ role: "viewer" }] });
    const { token } = await plane.personalToken(user);
    expect(await answered(token)).toBe(200);
    await plane.database.change((db) => setUserEnabled(db, user, false));
    expect(await answered(token)).toBe(40107);
    await plane.database.change((db) => setUserEnabled(db, user, true));
    expect(await answered(token)).toBe(200);
  });

  test("loses what its user loses, and is refused with the last role (T7)", async () => {
    const north = await plane.addUnit("Lost");
    const user = await plane.addUser({ roles: [{ role: "viewer" }, { role: "reporter", unitId: north }] });
    const { token } = await plane.personalToken(user, north);
    const take = async (role: "viewer" | "reporter", unitId: string) => {
      const roleId = await plane.roleId(role);
      await plane.database.change((db) => revokeRole(db, { userId: user, roleId, unitId }));
    };
    expect((await plane.ask("/tasks", { token })).status).toBe(200);
    await take("viewer", root);
    expect((await plane.ask("/tasks", { token })).body.errors[0].error_code).toBe(40302);
    await take("reporter", north);
    expect(await answered(token)).toBe(40107);
  });
});

describe("a service token", () => {
  test("has its one role in its one unit and below", async () => {
    const north = await plane.addUnit("Served");
    const below = await plane.addUnit("Below", north);
    const { token } = await plane.serviceToken("viewer", north);
    const statuses = [];
    for (const unit of [north, below, root]) statuses.push((await plane.ask("/users", { token, unit })).status);
    expect(statuses).toEqual([200, 200, 403]);
  });
});

describe("signing keys", () => {
  test("are shown by their public half alone", async () => {
    const { body } = await plane.ask("/.well-known/jwks.json");
    const [key] = body.keys;
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
    expect(key).toMatchObject({ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig" });
    expect(key.kid).toBe(decodeProtectedHeader(valid.token).kid);
  });

  test("are kept after a rotation until the last token that they signed has died", async () => {
    const own = await openPlane();
    const old = await own.serviceToken("viewer", root, 60_000);
    await own.database.change((db) => rotateSigningKey(db, own.controlPlane.sealer, own.clock.now));
    const fresh = await own.serviceToken("viewer");
    const status = async (token: string) => (await own.ask("/tasks", { token })).status;
    const kids = async () => (await own.ask("/.well-known/jwks.json")).body.keys.length;
    expect([await status(old.token), await status(fresh.token), await kids()]).toEqual([200, 200, 2]);
    own.clock.now += 60_000;
    expect([await status(old.token), await status(fresh.token), await kids()]).toEqual([401, 200, 1]);
    await own.close();
  });

  test("and tokens are of no use to whoever has the database alone", async () => {
    const stored = await readWhole(plane.databaseUrl);
    expect(stored).toContain(valid.id);
    expect(stored).not.toContain(valid.token.split(".")[2] ?? "");
    expect(stored).not.toContain('"d":');
  });

  test("cannot be opened with another secret, and the start says so", async () => {
    const other = openPlane({ secret_key: "another secret of more than 32 characters" }, plane.folder);
    await expect(other).rejects.toThrow("The secret is not the one that this database was made with.");
  });

  test("are sealed with a secret that only its owner can read", () => {
    expect(statSync(join(plane.folder, "secret.key")).mode & 0o777).toBe(0o600);
    expect(statSync(plane.folder).mode & 0o777).toBe(0o700);
  });
});

test("the list of tokens tells name, kind, unit, creator, times and last use, and no token", async () => {
  const { id, token } = await plane.serviceToken("viewer");
  const find = async () => (await plane.database.snapshot(listTokens)).find((one) => one.id === id);
  expect(await find()).toEqual({
    id,
    name: "viewer token",
    kind: "service",
    organizational_unit_id: root,
    user_id: null,
    role: "viewer",
    created_by: null,
    created_at: plane.clock.now,
    expires_at: plane.clock.now + 86_400_000,
    ends_at: null,
    revoked_at: null,
    last_used_at: null,
  });
  await plane.ask("/tasks", { token });
  await plane.service.tokenUse.flush();
  expect((await find())?.last_used_at).toBe(plane.clock.now);
  expect(JSON.stringify(await find())).not.toContain("eyJ");
});
