import { afterEach, beforeEach, expect, test } from "bun:test";
import { openPlane, type Plane } from "../../../test/harness";
import { createSealer } from "../../secrets/seal";
import { listSigningKeys, openCurrentKey, rotateSigningKey } from "./signing-keys";

let plane: Plane;
beforeEach(async () => {
  plane = await openPlane();
});
afterEach(() => plane.close());

const hour = 3_600_000;

function rotate(): Promise<string> {
  const { sealer } = plane.controlPlane;
  return plane.database.change((db) => rotateSigningKey(db, sealer, plane.clock.now));
}

function keys() {
  return plane.database.snapshot((db) => listSigningKeys(db, plane.clock.now));
}

test("T25 rotation lets a new key sign, and tokens of the old one stay valid until the last of them dies", async () => {
  const old = await plane.serviceToken("viewer", undefined, 2 * hour);
  const [before] = await keys();
  const kid = await rotate();
  const fresh = await plane.serviceToken("viewer", undefined, 4 * hour);
  const status = async (token: string) => (await plane.ask("/tasks", { token })).status;
  expect((await keys()).map((key) => key.kid)).toEqual([kid, before?.kid ?? ""]);
  expect([await status(old.token), await status(fresh.token)]).toEqual([200, 200]);
  plane.clock.now += 2 * hour;
  expect((await keys()).map((key) => key.kid)).toEqual([kid]);
  expect([await status(old.token), await status(fresh.token)]).toEqual([401, 200]);
});

test("T25 the key that signs comes first, even when keys were made in the same moment", async () => {
  const kids: string[] = [];
  for (let round = 0; round < 3; round++) {
    await plane.serviceToken("viewer");
    kids.push(await rotate());
  }
  const listed = await keys();
  expect(listed[0]).toMatchObject({ kid: kids[2], replacedAt: null, expiresAt: null });
  expect(listed.length).toBe(4);
});

test("T25 a key that has signed nothing that lives is gone with the rotation, whatever others have signed", async () => {
  await plane.serviceToken("viewer");
  const [signer] = await keys();
  await rotate();
  const kid = await rotate();
  expect((await keys()).map((key) => key.kid)).toEqual([kid, signer?.kid ?? ""]);
  const stored = await plane.database.snapshot((db) => db.selectFrom("signing_keys").select("kid").execute());
  expect(stored.length).toBe(2);
});

test("T25 what the database holds of a private key opens with the secret alone, and not for another key", async () => {
  const row = await plane.database.snapshot((db) =>
    db.selectFrom("signing_keys").selectAll().executeTakeFirstOrThrow(),
  );
  expect(Object.keys(JSON.parse(row.public_key)).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x"]);
  expect(row.sealed_private_key).not.toContain('"d"');
  const { sealer } = plane.controlPlane;
  expect(JSON.parse(sealer.open(row.sealed_private_key, `signing key ${row.kid}`) ?? "{}").d).toMatch(/^[\w-]{43}$/);
  expect(sealer.open(row.sealed_private_key, "signing key hf-other")).toBeUndefined();
  const other = createSealer(Buffer.from("another secret"));
  await expect(plane.database.snapshot((db) => openCurrentKey(db, other))).rejects.toThrow("The secret was changed");
});
