import { afterAll, expect, test } from "bun:test";
import { decodeJwt, SignJWT } from "jose";
import { openCurrentKey } from "../../src/access/tokens/signing-keys";
import { tokenHeader } from "../../src/access/tokens/token-format";
import { makeFolder, openPlane, walk } from "../harness";

// One database and one signing key under two addresses: only what the token says of its issuer can tell them apart.
const folder = makeFolder();
const north = await openPlane({ base_url: "https://north.test", sibling_regions: "https://south.test" }, folder);
const south = await openPlane({ base_url: "https://south.test" }, folder);
afterAll(async () => {
  await north.close();
  await south.close();
});

test("T3: two control planes with the same key each accept the tokens that they issued", async () => {
  expect((await north.ask("/tasks", { token: (await north.serviceToken("owner")).token })).status).toBe(200);
  expect((await south.ask("/tasks", { token: (await south.serviceToken("owner")).token })).status).toBe(200);
});

test("T3: with the same key, a token of one control plane is refused by the other, every time and in both directions", async () => {
  const statuses: number[] = [];
  for (let round = 0; round < 50; round++) {
    const [ofNorth, ofSouth] = [await north.serviceToken("owner"), await south.serviceToken("owner")];
    statuses.push((await south.ask("/tasks", { token: ofNorth.token })).status);
    statuses.push((await north.ask("/tasks", { token: ofSouth.token })).status);
  }
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test("T3: a token of a sibling region is told that region's address", async () => {
  const { token } = await south.serviceToken("owner");
  const { status, body, headers } = await north.ask("/", { token });
  expect(status).toBe(401);
  expect(headers.get("www-authenticate")).toContain('error="invalid_token"');
  expect(body).toEqual({
    errors: [
      {
        error_code: 40106,
        error_message: "This token was issued by another control plane. Use it at https://south.test.",
      },
    ],
  });
});

test("T3: a token of a control plane that is no sibling is told no address", async () => {
  const { token } = await north.serviceToken("owner");
  expect((await south.ask("/", { token })).body).toEqual({
    errors: [
      {
        error_code: 40106,
        error_message:
          "This token was issued by another control plane. Use it at the address of the control plane that issued it.",
      },
    ],
  });
});

test("T3: a token issued for an alias is valid, new ones are issued for the base URL, and all others stay refused", async () => {
  const moved = await openPlane(
    { base_url: "https://new.test", base_url_aliases: "https://north.test/, http://older.test:8080" },
    folder,
  );
  const ofNorth = await north.serviceToken("owner");
  const ofSouth = await south.serviceToken("owner");
  const ask = async (token: string) => (await moved.ask("/api-tokens", { token })).status;
  expect([await ask(ofNorth.token), await ask(ofSouth.token)]).toEqual([200, 401]);
  const body = { name: "fresh", kind: "service", role_id: await moved.roleId("owner") };
  const made = await moved.ask("/api-tokens", { method: "POST", token: ofNorth.token, body });
  expect([decodeJwt(made.body.token).iss, made.body.base_url]).toEqual(["https://new.test", "https://new.test"]);
  const listed = await walk(moved, "/api-tokens", { token: ofNorth.token });
  const foreign = new Map(listed.map(({ id, base_url, is_foreign }) => [id, [base_url, is_foreign]]));
  expect([ofNorth.id, ofSouth.id, made.body.id].map((id) => foreign.get(id))).toEqual([
    ["https://north.test", false],
    ["https://south.test", true],
    ["https://new.test", false],
  ]);
  await moved.database.close();
});

test("T3: a token whose audience is another address than its issuer is refused, even if both are addresses of the service", async () => {
  const moved = await openPlane({ base_url: "https://new.test", base_url_aliases: "https://north.test" }, folder);
  const { id, token } = await north.serviceToken("owner");
  const key = await moved.database.snapshot((db) => openCurrentKey(db, moved.controlPlane.sealer));
  const sign = (claims: object) =>
    new SignJWT({ ...claims }).setProtectedHeader(tokenHeader(key.kid)).sign(key.privateKey);
  const claims = decodeJwt(token);
  expect(claims.jti).toBe(id);
  const mixed = await sign({ ...claims, aud: "https://new.test" });
  const alike = await sign({ ...claims, iss: "https://new.test", aud: "https://new.test" });
  const statuses = await Promise.all([mixed, alike].map(async (one) => (await moved.ask("/", { token: one })).status));
  expect(statuses).toEqual([401, 200]);
  await moved.database.close();
});

test("T29: requests that name the host of an alias are answered, and those of other names are not", async () => {
  const moved = await openPlane({ base_url: "https://new.test", base_url_aliases: "http://older.test:8080" }, folder);
  const ask = async (host: string) => (await moved.ask("/healthz", { headers: { Host: host } })).status;
  expect([await ask("older.test:8080"), await ask("new.test"), await ask("evil.test")]).toEqual([200, 200, 400]);
  await moved.database.close();
});

test("the caller learns all addresses of the service", async () => {
  const moved = await openPlane({ base_url: "https://new.test", base_url_aliases: "https://north.test" }, folder);
  const { token } = await moved.serviceToken("reporter");
  const { base_url, base_url_aliases } = (await moved.ask("/caller", { token })).body;
  expect([base_url, base_url_aliases]).toEqual(["https://new.test", ["https://north.test"]]);
  await moved.database.close();
});
