import { afterAll, expect, test } from "bun:test";
import { expectRefusal } from "../error-envelope";
import { openPlane } from "../harness";
import { forgeTokens } from "./forge-tokens";

const plane = await openPlane();
afterAll(plane.close);
const forgeries = await forgeTokens(plane);

test("T1: the token that all forgeries are made from is accepted", async () => {
  const { token } = await plane.serviceToken("owner");
  expect((await plane.ask("/tasks", { token })).status).toBe(200);
});

test("T1: there are at least 60 different forgeries", () => {
  expect(new Set(forgeries.map(({ token }) => token)).size).toBe(forgeries.length);
  expect(forgeries.length).toBeGreaterThanOrEqual(60);
});

test.each(forgeries)("T1: a forged token is refused: $name", async ({ token }) => {
  const answer = await plane.ask("/tasks", { token });
  expect(answer.status).toBe(401);
  expect(answer.headers.get("www-authenticate")).toContain('error="invalid_token"');
  expectRefusal(answer);
});
