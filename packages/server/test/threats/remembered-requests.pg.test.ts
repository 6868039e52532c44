import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Ask, openPlane, type Plane } from "../harness";

let plane: Plane;
let token: string;
beforeAll(async () => {
  plane = await openPlane();
  token = (await plane.serviceToken("viewer")).token;
});
afterAll(() => plane.close());

// The body of a request that was made before is cached. None that differs may get it.
test.each<[string, number, (token: string) => Ask]>([
  ["a token in a cookie", 401, (token) => ({ headers: { Cookie: `Bearer ${token}` } })],
  ["the word null as a media type", 406, (token) => ({ token, accept: "null" })],
  ["the word null as a unit", 400, (token) => ({ token, unit: "null" })],
])("T17: %s is no request that was made before", async (_, refused, differing) => {
  const ask = async (asked: Ask) => (await plane.ask("/tasks?limit=1", asked)).status;
  const first = [await ask(differing(token)), await ask({ token }), await ask({ token }), await ask({ token })];
  expect([...first, await ask(differing(token))]).toEqual([refused, 200, 200, 200, refused]);
});
