import { afterAll, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { rotateSigningKey } from "../../src/access/tokens/signing-keys";
import { revokeToken } from "../../src/resources/api-tokens/store";
import { SettingError } from "../../src/settings/settings";
import { readWhole } from "../folder-database";
import { makeFolder, openPlane } from "../harness";

const plane = await openPlane();
afterAll(plane.close);
const { sealer } = plane.controlPlane;
const rotate = () => {
  plane.clock.now += 1;
  return plane.database.change((db) => rotateSigningKey(db, sealer, plane.clock.now));
};

test("T25: rotating keys under load fails no request", async () => {
  const first = await plane.serviceToken("viewer");
  const tokens = [first.token];
  const statuses: number[] = [];
  let isRotating = true;
  const load = Array.from({ length: 4 }, async (_, client) => {
    for (let round = client; isRotating; round++) {
      const token = tokens[round % tokens.length];
      const { status } = await plane.ask("/tasks?limit=1", { token: token ?? first.token });
      statuses.push(status);
      await Bun.sleep(0);
    }
  });
  for (let round = 0; round < 20; round++) {
    await rotate();
    tokens.push((await plane.serviceToken("viewer")).token);
    await Bun.sleep(5);
  }
  isRotating = false;
  await Promise.all(load);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(statuses.length).toBeGreaterThan(100);
});

test("T25: the key set shows public parts only, the signing key first", async () => {
  const kid = await rotate();
  const { body } = await plane.ask("/.well-known/jwks.json");
  expect(body.keys[0].kid).toBe(kid);
  expect(body.keys.length).toBeGreaterThan(1);
  for (const key of body.keys) {
    expect(Object.keys(key).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
  }
});

test("T25: an old key is shown until the last token that it signed has died, and not longer", async () => {
  const { token } = await plane.serviceToken("viewer");
  const [header = ""] = token.split(".");
  const { kid } = JSON.parse(Buffer.from(header, "base64url").toString());
  await rotate();
  const shown = async () =>
    (await plane.ask("/.well-known/jwks.json")).body.keys.map((key: { kid: string }) => key.kid);
  expect(await shown()).toContain(kid);
  plane.clock.now += 3 * 365 * 86_400_000;
  expect(await shown()).not.toContain(kid);
  plane.clock.now -= 3 * 365 * 86_400_000;
});

test("T25: a token that was revoked does not keep its key, and one that lives does", async () => {
  const { id, token } = await plane.serviceToken("viewer");
  await plane.database.change((db) => revokeToken(db, id, plane.clock.now));
  const living = await plane.serviceToken("viewer");
  await rotate();
  expect((await plane.ask("/tasks", { token })).status).toBe(401);
  expect((await plane.ask("/tasks", { token: living.token })).status).toBe(200);
});

test("T25: no private key stands in the database in the clear", async () => {
  const rows = await plane.database.snapshot((db) =>
    db.selectFrom("signing_keys").select("sealed_private_key").execute(),
  );
  const stored = await readWhole(plane.databaseUrl);
  // Searched values are there: the sealed keys and the public ones.
  expect(rows).not.toEqual([]);
  for (const { sealed_private_key } of rows) expect(stored).toContain(sealed_private_key);
  expect(stored).toContain('"crv":"Ed25519"');
  expect(stored).not.toMatch(/"d":"|PRIVATE KEY|"k":"/);
});

test("T25: the database without its secret signs nothing: it does not even start", async () => {
  const thief = makeFolder();
  const stolen = { database_url: plane.databaseUrl };
  await expect(openPlane(stolen, thief)).rejects.toThrow(SettingError);
  await expect(openPlane(stolen, thief)).rejects.toThrow(/The secret that this database was made with is missing/);
  const guess = { ...stolen, secret_key: "correct horse battery staple, and then some" };
  await expect(openPlane(guess, thief)).rejects.toThrow(/The secret is not the one that this database was made with\./);
  rmSync(thief, { recursive: true });
});
