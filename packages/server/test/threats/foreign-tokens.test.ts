import { afterAll, expect, test } from "bun:test";
import { makeFolder, openPlane } from "../harness";

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
